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

package io.github.watchdoglock.torture;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * Whether several callers wanted keys of each kind at one time; a kind without contention
 * was not tested.
 *
 * @param readers how many instances read one key at once, at most
 * @param permits how many held permits of one key at once, at most
 * @param waits the number of long waits, by the requested kind if the key can be shared
 */
record Contention(int readers, int permits, Map<String, Long> waits) {

	static Contention of(History history) {
		Map<String, List<Hold>> shared = history.holds()
			.stream()
			.filter((hold) -> hold.kind.isShared())
			.collect(Collectors.groupingBy((hold) -> hold.key));
		Map<String, Long> waits = history.waits()
			.stream()
			.filter((wait) -> shared.containsKey(wait.key()))
			.collect(Collectors.groupingBy((wait) -> word(wait.kind()), Collectors.counting()));
		return new Contention(most(shared.values(), false), most(shared.values(), true), waits);
	}

	private static String word(Kind kind) {
		return kind.isPermit() ? "permit" : kind.isShared() ? "reader" : "writer";
	}

	private static int most(Collection<List<Hold>> keys, boolean permits) {
		int most = 0;
		for (List<Hold> holds : keys) {
			for (Hold hold : holds) {
				if (hold.kind.isShared() && hold.kind.isPermit() == permits) {
					most = Math.max(most, at(hold, holds, permits));
				}
			}
		}
		return most;
	}

	/*
	 * The number of holders when a hold began. Callers of one instance read with one
	 * lease.
	 */
	private static int at(Hold hold, List<Hold> holds, boolean permits) {
		Set<Object> holders = new HashSet<>();
		for (Hold other : holds) {
			if (other.kind.isShared() && (other == hold || other.covers(hold.begin))) {
				holders.add(permits ? other : other.instance);
			}
		}
		return holders.size();
	}

	/* The kinds of contention that did not occur. */
	List<String> neverSeen() {
		Map<String, Boolean> seen = Map.of("two instances that read", this.readers >= 2, "all permits held",
				this.permits == Sharing.MAX_PERMITS, "a reader who waits", waited(Kind.READ), "a writer who waits",
				waited(Kind.EXCLUSIVE), "one who waits for a permit", waited(Kind.permits(Sharing.MAX_PERMITS)));
		return seen.entrySet().stream().filter((each) -> !each.getValue()).map(Map.Entry::getKey).sorted().toList();
	}

	private boolean waited(Kind kind) {
		return this.waits.containsKey(word(kind));
	}

}
