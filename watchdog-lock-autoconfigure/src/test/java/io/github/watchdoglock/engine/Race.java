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

package io.github.watchdoglock.engine;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A loop of rounds in which the actions of several threads begin at the same moment.
 */
final class Race {

	private static final long TIME = TimeUnit.MILLISECONDS.toNanos(1_500);

	/* Threads yield only after this many looks. */
	private static final int LOOKS = 200;

	/*
	 * Actions begin a little apart, so that each part of one overlaps with each part of
	 * the others.
	 */
	private static final int APART = 8;

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	/**
	 * The number of threads that have not begun the round, and of those that have not
	 * ended it.
	 */
	private final AtomicInteger coming = new AtomicInteger();

	private final AtomicInteger running = new AtomicInteger();

	private List<Runnable> actions = List.of();

	private volatile int round;

	private volatile boolean over;

	private Race() {
	}

	/* Repeat rounds for a while. Each round checks its result after its actions. */
	static void repeat(int threads, Supplier<Round> rounds) {
		new Race().run(threads, rounds);
	}

	private void run(int threads, Supplier<Round> rounds) {
		for (int i = 1; i < threads; i++) {
			int index = i;
			Thread thread = new Thread(() -> join(index), "race-" + i);
			thread.setDaemon(true);
			thread.start();
		}
		SplittableRandom random = new SplittableRandom();
		long end = System.nanoTime() + TIME;
		try {
			for (int i = 1; System.nanoTime() - end < 0; i++) {
				Round next = rounds.get();
				this.actions = next.actions();
				this.coming.set(threads);
				this.running.set(threads);
				this.round = i;
				act(0, random);
				awaitEnd();
				Throwable failure = this.failure.get();
				if (failure != null) {
					throw new AssertionError("An action failed in round " + this.round, failure);
				}
				next.checked().run();
			}
		}
		finally {
			this.over = true;
		}
	}

	private void awaitEnd() {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
		int looks = 0;
		while (this.running.get() > 0) {
			pause(looks++);
			if (System.nanoTime() - end > 0) {
				throw new AssertionError("An action does not end in round " + this.round);
			}
		}
	}

	private void join(int index) {
		SplittableRandom random = new SplittableRandom();
		int seen = 0;
		int looks = 0;
		while (!this.over) {
			if (this.round == seen) {
				pause(looks++);
			}
			else {
				seen++;
				looks = 0;
				act(index, random);
			}
		}
	}

	@SuppressWarnings("ThreadPriorityCheck")
	private static void pause(int looks) {
		if (looks < LOOKS) {
			Thread.onSpinWait();
		}
		else {
			Thread.yield();
		}
	}

	private void act(int index, SplittableRandom random) {
		this.coming.decrementAndGet();
		for (int looks = 0; this.coming.get() > 0; looks++) {
			pause(looks);
		}
		for (int i = random.nextInt(1 << random.nextInt(APART)); i > 0; i--) {
			Thread.onSpinWait();
		}
		try {
			this.actions.get(index).run();
		}
		catch (Throwable ex) {
			this.failure.set(ex);
		}
		this.running.decrementAndGet();
	}

	/**
	 * A round.
	 *
	 * @param actions one for each thread
	 * @param checked throws if the result is wrong
	 */
	record Round(List<Runnable> actions, Runnable checked) {
	}

}
