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

import io.github.watchdoglock.time.Threads;

/**
 * Threads of a machine, but for those of listeners to leaders, who hear at once. None is
 * refused: an election has no answer to that.
 *
 * @param machine has all others
 */
record InlineListeners(Machine machine) implements Threads {

	@Override
	public Thread start(String name, Runnable work) {
		if (name.equals("watchdog-lock-leader-listener")) {
			work.run();
			return Thread.currentThread();
		}
		int scant = this.machine.scantThreads;
		this.machine.scantThreads = 0;
		Thread started = this.machine.start(name, work);
		this.machine.scantThreads = scant;
		return started;
	}

	@Override
	public void park(Object blocker, long nanos) {
		this.machine.park(blocker, nanos);
	}

	@Override
	public long elapsed() {
		return this.machine.elapsed();
	}

	@Override
	public void unpark(Thread thread) {
		this.machine.unpark(thread);
	}

	@Override
	public void interrupt(Thread thread) {
		this.machine.interrupt(thread);
	}

	@Override
	public boolean isInterrupted(Thread thread) {
		return this.machine.isInterrupted(thread);
	}

	@Override
	public void proceed(Runnable effects) {
		this.machine.proceed(effects);
	}

	@Override
	public double random() {
		return this.machine.random();
	}

}
