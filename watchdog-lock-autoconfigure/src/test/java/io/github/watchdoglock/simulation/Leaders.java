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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockKey;

/**
 * Instances that are candidates for a role, in some of the worlds, and the rules that
 * must hold for them after every step: at most one leads, and it is notified that it lost
 * leadership before another one can lead; no instance does the work of two terms; a
 * resigned term is released.
 */
final class Leaders {

	/** One of this many worlds has leaders, and no error is thrown in it. */
	static final int ONE_OF = 8;

	static final String ROLE = "reports";

	static final LockKey KEY = LockKey.ofRole(ROLE);

	/* Seed offset of the values for leaders. */
	private static final long OTHER = 0x5DEECE66DL;

	private final World world;

	private final Draw draw;

	private final boolean present;

	/* In the order of creation, so that the same seed gives the same trace. */
	private final Map<Instance, Candidate> candidates = new LinkedHashMap<>();

	/** The greatest number of a term so far, while the server is reliable. */
	private long last;

	Leaders(World world, long seed) {
		this.world = world;
		this.present = seed % ONE_OF == 0;
		this.draw = new Draw(seed ^ OTHER);
	}

	boolean areThere() {
		return this.present;
	}

	void begin(Instance instance) {
		if (this.present) {
			Candidate candidate = new Candidate(this.world, instance, this.draw, this::begun);
			this.candidates.put(instance, candidate);
			this.world.scheduler.in(0, instance.machine, candidate::start);
		}
	}

	/* The election stops before its engine does. */
	void stop(Instance instance) {
		with(instance, (candidate) -> candidate.stop());
	}

	void start(Instance instance) {
		with(instance, Candidate::start);
	}

	private void with(Instance instance, Consumer<Candidate> action) {
		Candidate candidate = this.candidates.get(instance);
		if (candidate != null) {
			action.accept(candidate);
		}
	}

	/* Faults for leaders, in addition to the faults for all instances. */
	void plan(int places, long end) {
		for (int i = 0; this.present && i < 6; i++) {
			int place = this.draw.below(places);
			int kind = this.draw.below(6);
			this.world.scheduler.in(this.draw.between(0, end), null, () -> disturb(kind, place));
		}
	}

	private void disturb(int kind, int place) {
		Instance instance = this.world.at(place);
		switch (kind) {
			case 0 -> {
				this.world.tally.fault("role's record lost");
				this.world.server.forget(KEY, this.world.longestBelief());
			}
			case 1 -> operate(instance, "role forced", () -> instance.engine().forceRelease(KEY));
			case 2 -> operate(instance, "asked to resign", () -> instance.engine().requestResignation(KEY));
			default -> {
				this.world.tally.fault("resigned");
				this.world.scheduler.in(0, instance.machine, () -> with(instance, Candidate::resign));
			}
		}
	}

	private void operate(Instance instance, String what, Runnable action) {
		this.world.tally.fault(what);
		this.world.scheduler.start(instance.machine, "operator", () -> {
			try {
				action.run();
			}
			catch (LockException ex) {
				// Expected if Redis is unreachable.
			}
		});
	}

	/* The numbers of terms grow. */
	private void begun(long number) {
		if (this.world.server.isReliable(KEY)) {
			if (number <= this.last) {
				this.world.scheduler.violated("term " + number + " after " + this.last);
			}
			this.last = Math.max(number, this.last);
		}
	}

	void look() {
		if (this.present) {
			long owner = this.world.server.isReliable(KEY) ? this.world.server.owner(KEY) : -1;
			this.candidates.values().forEach((candidate) -> candidate.look(owner));
		}
	}

	/* At the end an instance leads, and then all instances resign. */
	boolean isLed() {
		List<Candidate> standing = this.candidates.values().stream().filter(Candidate::stands).toList();
		return standing.isEmpty() || standing.stream().anyMatch(Candidate::leads);
	}

	List<CompletionStage<Void>> stopAll() {
		return this.candidates.values().stream().filter(Candidate::stands).map(Candidate::stop).toList();
	}

	static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
