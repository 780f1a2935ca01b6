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
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.watchdoglock.torture.Violation.Kind;

/**
 * Tells what is wrong with a history.
 * <p>
 * Sound: every time in it is a lower bound of what an instance believed, so that what is
 * found is wrong. Not promised: that everything wrong is found.
 */
final class Checker {

	private final History history;

	private final List<Window> troubles = new ArrayList<>();

	private final Rules rules;

	/* Whether all instances have written all that they ever will. */
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
		Hold last = null;
		Hold highest = null;
		for (Hold hold : holds) {
			if (last != null && last.end(this.complete) > hold.begin) {
				add(Kind.OVERLAP, key + ": " + last + " and " + hold);
			}
			if (highest != null && highest.token >= hold.token) {
				add(Kind.ORDER, key + ": " + highest + " and then " + hold);
			}
			last = (last == null || hold.end(this.complete) > last.end(this.complete)) ? hold : last;
			highest = (highest == null || hold.token > highest.token) ? hold : highest;
		}
	}

	private void checkLosses() {
		Map<String, Hold> holds = new HashMap<>();
		this.history.holds().forEach((hold) -> holds.put(hold.instance + hold.key + hold.token, hold));
		for (Loss loss : this.history.losses()) {
			Hold hold = holds.get(loss.instance() + loss.key() + loss.token());
			if (hold != null) {
				hold.lost(loss.time());
				checkLoss(loss, hold);
			}
		}
	}

	private void checkLoss(Loss loss, Hold hold) {
		switch (loss.reason()) {
			// At its close it may be: a release that comes late finds the lease over.
			case "GONE", "FORCED" -> addUnless(hold.isClosedBy(loss.time()), Kind.GONE, loss, hold);
			case "ABANDONED" -> addUnless(hold.abandoned, Kind.UNEXPLAINED_LOSS, loss, hold);
			case "EXPIRED" -> addUnless(!hold.renewed || isExcused(loss), Kind.UNEXPLAINED_LOSS, loss, hold);
			default -> addUnless(loss.reason().equals("SHUTDOWN"), Kind.UNEXPLAINED_LOSS, loss, hold);
		}
	}

	private void addUnless(boolean right, Kind kind, Loss loss, Hold hold) {
		if (!right) {
			add(kind, loss.key() + ": " + hold + ", " + loss.reason() + " at " + loss.time());
		}
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
					if (passes == this.rules.passes() + 1 && isUntroubled(wait.instance(), from, hold.begin)) {
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

	/* The longest time within the wait in which nobody had the key and all was well. */
	private long longestFree(Wait wait, List<Hold> holds) {
		TreeMap<Long, Long> busy = new TreeMap<>();
		holds.forEach((hold) -> busy.merge(hold.begin, hold.keepsUntil(this.complete), Math::max));
		this.troubles.stream()
			.filter((window) -> window.concerns(wait.instance()))
			.forEach((window) -> busy.merge(window.from(), window.to(), Math::max));
		long longest = 0;
		long at = wait.from();
		for (Map.Entry<Long, Long> each : busy.headMap(wait.to()).entrySet()) {
			longest = Math.max(longest, each.getKey() - at);
			at = Math.max(at, each.getValue());
		}
		return Math.max(longest, wait.to() - at);
	}

}
