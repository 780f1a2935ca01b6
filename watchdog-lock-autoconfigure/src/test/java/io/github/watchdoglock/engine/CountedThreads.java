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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.watchdoglock.time.Threads;

/**
 * The JVM's threads; it counts those with one name, and can disturb some.
 */
final class CountedThreads implements Threads {

	final AtomicInteger started = new AtomicInteger();

	/** Runs before a thread is interrupted. */
	volatile Consumer<Thread> whenInterrupted = (thread) -> {
	};

	private final AtomicInteger breaks = new AtomicInteger();

	private volatile String broken = "";

	private final String counted;

	CountedThreads(String counted) {
		this.counted = counted;
	}

	/**
	 * Make a thread with this name fail twice when it parks: the second time while it
	 * recovers.
	 */
	void breakParks(String name) {
		this.broken = name;
		this.breaks.set(2);
	}

	@Override
	public Thread start(String name, Runnable work) {
		if (name.equals(this.counted)) {
			this.started.incrementAndGet();
		}
		return Threads.system().start(name, work);
	}

	@Override
	public void park(Object blocker, long nanos) {
		if (Thread.currentThread().getName().equals(this.broken) && this.breaks.getAndDecrement() > 0) {
			throw new ThreadDeath();
		}
		Threads.system().park(blocker, nanos);
	}

	@Override
	public void interrupt(Thread thread) {
		this.whenInterrupted.accept(thread);
		Threads.system().interrupt(thread);
	}

}
