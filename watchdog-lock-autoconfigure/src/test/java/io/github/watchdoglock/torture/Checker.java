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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.watchdoglock.torture.Violation.Kind;

/**
 * Finds the violations in a history.
 * <p>
 * Sound: every time in it is a lower bound of what an instance believed, so each reported
 * violation is real. Not promised: that all violations are found.
 */
final class Checker {

	private static final Set<String> GONE = Set.of("GONE", "FORCED");

	private final History history;

	private final List<Window> troubles = new ArrayList<>();

	private final Rules rules;

	/* Whether all instances have written their complete logs. */
	private final boolean complete;

	private final List<Violation> found;

	Checker(History history, List<Window> faults, Rules rules, boolean complete) {
		this.history = history;
		this.rules = rules;
		this.complete = complete;
		this.found = new ArrayList<>(history.violations());
		faults.forEach((window) -> this.troubles.add(window.longer(rules.recovery().toNanos())));
		history.windows().forEach((window) -> this.troubles.add(window.longer(rules.recovery().toNanos())));
	}

	List<Violation> check() {
		Map<String, List<Hold>> keys = this.history.holds().stream().collect(Collectors.groupingBy((hold) -> hold.key));
		checkLosses();
		keys.forEach(this::checkHolds);
		checkWaits(keys);
		checkPasses(keys);
		return this.found;
	}

	private void add(Kind kind, String text) {
		this.found.add(new Violation(kind, text));
	}

	private void checkHolds(String key, List<Hold> holds) {
		holds.sort(Comparator.comparingLong((hold) -> hold.begin));
		List<Hold> present = new ArrayList<>();
		Map<Long, Hold> tokens = new HashMap<>();
		Hold highest = null;
		Hold highestAlone = null;
		for (Hold hold : holds) {
			present.removeIf((other) -> other.end(this.complete) <= hold.begin);
			checkPresent(key, present, hold);
			Hold before = hold.kind.isShared() ? highestAlone : highest;
			if (before != null && before.token >= hold.token) {
				add(Kind.ORDER, key + ": " + before + " and then " + hold);
			}
			Hold same = tokens.putIfAbsent(hold.token, hold);
			if (same != null && !same.excludes(hold) && !same.sharesGrant(hold)) {
				add(Kind.ORDER, key + ": " + same + " and " + hold);
			}
			present.add(hold);
			highest = higher(highest, hold);
			highestAlone = hold.kind.isShared() ? highestAlone : higher(highestAlone, hold);
		}
	}

	private static Hold higher(Hold highest, Hold hold) {
		return (highest == null || hold.token > highest.token) ? hold : highest;
	}

	/*
	 * Check that no other hold overlaps with an exclusive hold, and that there are no
	 * more permits than the greatest number in their requests.
	 */
	private void checkPresent(String key, List<Hold> present, Hold hold) {
		present.stream()
			.filter(hold::excludes)
			.findFirst()
			.ifPresent((other) -> add(Kind.OVERLAP, key + ": " + other + " and " + hold));
		int most = present.stream().mapToInt((other) -> other.kind.most()).reduce(hold.kind.most(), Math::max);
		if (hold.kind.isPermit() && present.size() >= most) {
			add(Kind.OVERLAP, key + ": " + present + " and " + hold);
		}
	}

	private void checkLosses() {
		Map<String, List<Hold>> holds = this.history.holds()
			.stream()
			.collect(Collectors.groupingBy((hold) -> hold.instance + hold.key + hold.token));
		for (Loss loss : this.history.losses()) {
			List<Hold> those = holds.getOrDefault(loss.instance() + loss.key() + loss.token(), List.of());
			those.forEach((hold) -> hold.lost(loss.time()));
			// Readers that share a lease have one token, and the loss does not name one
			// of them.
			if (!those.isEmpty() && those.stream().noneMatch((hold) -> isExplained(loss, hold))) {
				Kind kind = GONE.contains(loss.reason()) ? Kind.GONE : Kind.UNEXPLAINED_LOSS;
				add(kind, loss.key() + ": " + those.get(0) + ", " + loss.reason() + " at " + loss.time());
			}
		}
	}

	private boolean isExplained(Loss loss, Hold hold) {
		return switch (loss.reason()) {
			// Allowed at the close: a late release may find that the lease has expired.
			case "GONE", "FORCED" -> hold.isClosedBy(loss.time());
			case "ABANDONED" -> hold.abandoned;
			case "EXPIRED" -> !hold.renewed || isExcused(loss);
			default -> loss.reason().equals("SHUTDOWN");
		};
	}

	private boolean isExcused(Loss loss) {
		long from = loss.time() - this.rules.lossGrace().toNanos();
		return this.troubles.stream()
			.anyMatch((window) -> window.concerns(loss.instance()) && window.meets(from, loss.time()));
	}

	private void checkWaits(Map<String, List<Hold>> keys) {
		long bound = this.rules.orphan().toNanos();
		for (Wait wait : this.history.waits()) {
			if (wait.to() - wait.from() > bound) {
				long free = longestFree(wait, keys.getOrDefault(wait.key(), List.of()));
				if (free > bound) {
					add(Kind.ORPHAN, wait.key() + ": free for " + Duration.ofNanos(free) + " while instance "
							+ wait.instance() + " waited from " + wait.from() + " to " + wait.to());
				}
			}
		}
	}

	private void checkPasses(Map<String, List<Hold>> keys) {
		for (Wait wait : this.history.waits()) {
			int passes = 0;
			long from = wait.from();
			for (Hold hold : keys.getOrDefault(wait.key(), List.of())) {
				if (hold.begin > wait.from() && hold.begin < wait.to()) {
					passes = (hold.instance != wait.instance()) ? passes + 1 : 0;
					from = (passes == 0) ? hold.begin : from;
					if (passes == this.rules.passes() * room(wait) + 1
							&& isUntroubled(wait.instance(), from, hold.begin)) {
						add(Kind.PASSED, wait.key() + ": " + passes + " times from " + from + " to " + hold.begin
								+ " while instance " + wait.instance() + " waited");
					}
				}
			}
		}
	}

	private boolean isUntroubled(int instance, long from, long to) {
		return this.troubles.stream().noneMatch((window) -> window.concerns(instance) && window.meets(from, to));
	}

	/* How many callers may have the key together, if the queue is not known. */
	private static int room(Wait wait) {
		return wait.kind().isPermit() ? wait.kind().most() : 1;
	}

	/*
	 * The longest time within the wait in which the key had room for all callers that may
	 * have waited before it, and in which there was no trouble.
	 */
	private long longestFree(Wait wait, List<Hold> holds) {
		int room = holds.stream().mapToInt((hold) -> hold.kind.most()).reduce(wait.kind().most(), Math::min);
		room = wait.kind().isPermit() ? room : 1;
		TreeMap<Long, Integer> busy = new TreeMap<>();
		holds.forEach((hold) -> put(busy, hold.begin, hold.keepsUntil(this.complete), 1));
		for (Window window : this.troubles) {
			if (window.concerns(wait.instance())) {
				put(busy, window.from(), window.to(), room);
			}
		}
		long longest = 0;
		long at = wait.from();
		int here = 0;
		for (Map.Entry<Long, Integer> each : busy.headMap(wait.to()).entrySet()) {
			longest = (here < room) ? Math.max(longest, each.getKey() - at) : longest;
			at = Math.max(at, each.getKey());
			here += each.getValue();
		}
		return (here < room) ? Math.max(longest, wait.to() - at) : longest;
	}

	private static void put(Map<Long, Integer> busy, long from, long to, int number) {
		busy.merge(from, number, Integer::sum);
		busy.merge(to, -number, Integer::sum);
	}

}
