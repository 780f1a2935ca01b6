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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * The merged logs of all instances.
 */
final class History {

	private final Map<String, Hold> holds = new HashMap<>();

	private final List<Loss> losses = new ArrayList<>();

	private final List<Wait> waits = new ArrayList<>();

	private final List<Window> windows = new ArrayList<>();

	private final List<Violation> violations = new ArrayList<>();

	private final Map<Integer, Integer> lives = new HashMap<>();

	private final Map<String, Long> counts = new LinkedHashMap<>();

	private long checked;

	/* Add a line that an instance wrote in one of its lives. */
	void read(int instance, int life, String line) {
		if (!Objects.equals(this.lives.put(instance, life), life)) {
			this.holds.values()
				.stream()
				.filter((hold) -> hold.instance == instance)
				.forEach((hold) -> hold.dead = true);
		}
		String[] words = line.split(" ", -1);
		String id = instance + "." + life + "." + words[1];
		switch (words[0]) {
			case "begin" -> this.holds.put(id, new Hold(instance, words[2], number(words[3]),
					words[4].equals("renewed"), number(words[5]), number(words[6]), kind(words, 7)));
			case "seen" -> this.holds.get(id).seen(number(words[2]), number(words[3]));
			case "end" -> end(this.holds.get(id), words);
			case "abandoned" -> this.holds.get(id).abandoned = true;
			case "revived" -> violation(Violation.Kind.REVIVED, this.holds.get(id) + " at " + words[2]);
			case "lost" -> this.losses.add(new Loss(instance, words[1], number(words[2]), number(words[3]), words[4]));
			case "wait" ->
				this.waits.add(new Wait(instance, words[1], number(words[2]), number(words[3]), kind(words, 4)));
			case "stalled" -> this.windows.add(new Window(instance, number(words[1]), number(words[2])));
			case "count" -> this.counts.merge(words[1], number(words[2]), Long::sum);
			default -> violation(Violation.Kind.ERROR, "instance " + instance + ": " + line);
		}
	}

	private void end(Hold hold, String[] words) {
		hold.closed(number(words[2]), words[3].equals("held"), number(words[4]));
		this.checked++;
	}

	private void violation(Violation.Kind kind, String text) {
		this.violations.add(new Violation(kind, text));
	}

	private static long number(String word) {
		return Long.parseLong(word);
	}

	private static Kind kind(String[] words, int at) {
		return (words.length > at) ? Sharing.kind(words[at]) : Kind.EXCLUSIVE;
	}

	/* The number of holds that began and ended. */
	long checked() {
		return this.checked;
	}

	Collection<Hold> holds() {
		return this.holds.values();
	}

	List<Loss> losses() {
		return this.losses;
	}

	List<Wait> waits() {
		return this.waits;
	}

	/* The times in which an instance did not run. */
	List<Window> windows() {
		return this.windows;
	}

	/* The violations that instances have found themselves. */
	List<Violation> violations() {
		return this.violations;
	}

	/* The numbers that instances have counted. */
	Map<String, Long> counts() {
		return this.counts;
	}

}
