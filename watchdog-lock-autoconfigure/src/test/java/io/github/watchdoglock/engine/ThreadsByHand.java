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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Pool;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Threads that never run by themselves: a test runs what one of them does on its own
 * thread, and says what happens while that waits. Time moves by hand, or by waiting.
 */
class ThreadsByHand implements Threads {

	final ManualTicker ticker;

	final List<Started> started = new ArrayList<>();

	/** For how long somebody has wanted to wait, in order. */
	final List<Long> parks = new ArrayList<>();

	final List<Thread> unparked = new ArrayList<>();

	/** What a test has found wrong where its errors are caught. */
	final List<AssertionError> failures = new ArrayList<>();

	/** So many times there is no thread. */
	int scarce;

	/**
	 * Whether reports of failures are logged at once, rather than kept like other
	 * threads.
	 */
	boolean reporting = true;

	/** What happens where a thread is called that waits. */
	@Nullable Runnable calling;

	/** Tasks of keys that have not been run yet, where they are kept back. */
	@Nullable List<Runnable> tasks;

	/** What happens instead of waiting for so many nanoseconds. */
	Wait wait = this::pass;

	ThreadsByHand() {
		this(new ManualTicker());
	}

	ThreadsByHand(ManualTicker ticker) {
		this.ticker = ticker;
	}

	void pass(long nanos) {
		this.ticker.advance(Duration.ofNanos(nanos));
	}

	/** What a thread runs, be it that it goes on after errors. */
	Runnable checked(Runnable check) {
		return () -> {
			try {
				check.run();
			}
			catch (AssertionError ex) {
				this.failures.add(ex);
				throw ex;
			}
		};
	}

	Started last() {
		return this.started.get(this.started.size() - 1);
	}

	@Override
	public void park(Object blocker, long nanos) {
		this.parks.add(nanos);
		checked(() -> this.wait.pass(nanos)).run();
	}

	@Override
	public long elapsed() {
		return this.ticker.read();
	}

	@Override
	public void unpark(Thread thread) {
		this.unparked.add(thread);
		if (this.calling != null) {
			this.calling.run();
		}
	}

	@Override
	public Thread start(String name, Runnable work) {
		if (this.reporting && name.equals("watchdog-lock-report")) {
			// It only logs.
			work.run();
			return Thread.currentThread();
		}
		if (this.scarce > 0) {
			this.scarce--;
			throw new OutOfMemoryError("unable to create native thread (on purpose)");
		}
		Started thread = new Started(name, work);
		this.started.add(thread);
		return thread;
	}

	@Override
	public Pool pool(String name, String warning, Runnable busy) {
		if (!name.equals("watchdog-lock-listener")) {
			throw new IllegalStateException("a test runs what a pool would run");
		}
		return new Pool() {

			@Override
			public void execute(Runnable task) {
				start(name, task);
			}

			@Override
			public void check() {
				// Nothing waits.
			}

			@Override
			public void close() {
				// Its threads are run by the test.
			}

		};
	}

	@Override
	public void proceed(Runnable tasks) {
		if (this.tasks != null) {
			this.tasks.add(tasks);
		}
		else {
			tasks.run();
		}
	}

	/* From now on they are run at once. */
	void runTasks() {
		List<Runnable> kept = Objects.requireNonNull(this.tasks);
		this.tasks = null;
		kept.forEach(Runnable::run);
	}

	@Override
	public double random() {
		return 0.5;
	}

	/**
	 * What happens while a thread waits.
	 */
	interface Wait {

		void pass(long nanos);

	}

	/**
	 * A thread that was started, as far as its starter knows.
	 */
	static final class Started extends Thread {

		final Runnable work;

		volatile State state = State.WAITING;

		private Started(String name, Runnable work) {
			super(name);
			this.work = work;
		}

		@Override
		public State getState() {
			return this.state;
		}

		@Override
		public StackTraceElement[] getStackTrace() {
			return new StackTraceElement[] { new StackTraceElement("Thread", getName(), null, 0) };
		}

	}

}
