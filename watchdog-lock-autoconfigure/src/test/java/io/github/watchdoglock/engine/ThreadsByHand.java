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
 * Threads that never run by themselves. A test runs the work of a thread on its own
 * thread, and decides what happens while that thread waits. Time moves by hand, or while
 * threads wait.
 */
class ThreadsByHand implements Threads {

	final ManualTicker ticker;

	final List<Started> started = new ArrayList<>();

	/** The requested wait times, in order. */
	final List<Long> parks = new ArrayList<>();

	final List<Thread> unparked = new ArrayList<>();

	/** Errors of a test that its environment catches. */
	final List<AssertionError> failures = new ArrayList<>();

	/** The number of further threads that cannot be created. */
	int scarce;

	/** Whether reports of failures are logged at once, or kept like other threads. */
	boolean reporting = true;

	/** Runs when a waiting thread is called. */
	@Nullable Runnable calling;

	/** Tasks of keys that have not run yet; null if tasks run at once. */
	@Nullable List<Runnable> tasks;

	/** The next number that no other process gets. */
	long unpredictable;

	/** Runs in place of waiting for this many nanoseconds. */
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

	/**
	 * Wrap the work of a thread so that its assertion errors are recorded, also if the
	 * thread continues after errors.
	 */
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
			// The report only writes a log line.
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
				// No thread waits.
			}

			@Override
			public void close() {
				// The test runs the threads.
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

	/* Run all tasks that were kept; later ones run at once. */
	void runTasks() {
		List<Runnable> kept = Objects.requireNonNull(this.tasks);
		this.tasks = null;
		kept.forEach(Runnable::run);
	}

	@Override
	public double random() {
		return 0.5;
	}

	@Override
	public double random(long seed) {
		return 0.5;
	}

	@Override
	public long unpredictable() {
		return this.unpredictable++;
	}

	/**
	 * Runs while a thread waits.
	 */
	interface Wait {

		void pass(long nanos);

	}

	/**
	 * A thread that was started, from the point of view of its starter.
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
