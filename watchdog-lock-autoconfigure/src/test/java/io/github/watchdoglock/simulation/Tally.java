/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.watchdoglock.simulation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;

/**
 * A count of the kinds of faults and the branches of the protocol that were reached. Not
 * thread-safe.
 */
final class Tally {

	/** The kinds that a run of many worlds has to reach. */
	static final List<String> KINDS = Stream.of(
			Stream.of("granted", "granted to a contended key", "busy without a place", "busy with a place", "ended")
				.map("acquire: "::concat),
			Stream.of("renewed", "renewed and contended", "renewed with a block", "gone").map("renew: "::concat),
			Stream
				.of("lease, nobody", "lease, requeued", "lease, other", "reservation, nobody", "reservation, other",
						"place, nobody", "nothing, nobody", "kept")
				.map("release: "::concat),
			Stream.of("granted", "contended", "in-use", "forced", "asked").map("message: "::concat),
			Stream
				.of("connection broken", "connection silent", "command timed out", "command refused",
						"command refused for good", "command carried out after its connection", "message lost",
						"message doubled", "message late", "channel deaf", "instance paused", "instance asleep",
						"instance killed", "instance restarted", "engine stopped and started", "server paused",
						"server's clock set back", "server restarted", "record lost", "server moved", "key forced",
						"thread scant", "error inside", "caller interrupted", "future cancelled", "holder died",
						"listener threw", "observer threw", "stray interrupt", "command never answered",
						"command answered late", "role's record lost", "role forced", "asked to resign", "resigned")
				.map("fault: "::concat),
			Stream
				.of("acquired", "hold: ", "hold: /r", "hold: /p", "not acquired: TIMEOUT", "not acquired: INTERRUPTED",
						"not acquired: ERROR", "renewed", "at risk", "recovered", "long hold", "released",
						"release failed", "handed off: LOCAL", "handed off: REMOTE", "idle", "lost: EXPIRED",
						"lost: GONE", "lost: FORCED", "lost: ABANDONED", "lost: MAX_HOLD", "lost: SHUTDOWN",
						"repeated: DONE", "repeated: OVER", "repeated: DROPPED", "commit", "unconfirmed")
				.map("engine: "::concat),
			Stream.of("fault: process restored", "fault: process copied", "engine: lost: RESTORED"))
		.flatMap((kinds) -> kinds)
		.toList();

	private final Map<String, Long> counts = new TreeMap<>();

	void fault(String kind) {
		count("fault: " + kind);
	}

	void message(String kind) {
		count("message: " + kind);
	}

	void engine(String kind) {
		count("engine: " + kind);
	}

	void acquire(AcquireAnswer answer) {
		if (answer instanceof AcquireAnswer.Granted granted) {
			count(granted.contended() ? "acquire: granted to a contended key" : "acquire: granted");
		}
		else if (answer instanceof AcquireAnswer.Busy busy) {
			count(busy.placed() ? "acquire: busy with a place" : "acquire: busy without a place");
		}
		else {
			count("acquire: ended");
		}
	}

	void renew(RenewAnswer answer) {
		if (!(answer instanceof RenewAnswer.Renewed renewed)) {
			count("renew: gone");
		}
		else if (renewed.next() != null) {
			count("renew: renewed with a block");
		}
		else {
			count(renewed.contended() ? "renew: renewed and contended" : "renew: renewed");
		}
	}

	void release(ReleaseCommand command, ReleaseAnswer answer) {
		if (!command.keep().isZero()) {
			count("release: kept");
		}
		count("release: " + answer.ended().name().toLowerCase(Locale.ROOT) + ", "
				+ answer.next().name().toLowerCase(Locale.ROOT));
	}

	private void count(String kind) {
		this.counts.merge(kind, 1L, Long::sum);
	}

	void add(Map<String, Long> other) {
		other.forEach((kind, count) -> this.counts.merge(kind, count, Long::sum));
	}

	Map<String, Long> counts() {
		return this.counts;
	}

	List<String> missing() {
		return KINDS.stream().filter((kind) -> !this.counts.containsKey(kind)).toList();
	}

}
