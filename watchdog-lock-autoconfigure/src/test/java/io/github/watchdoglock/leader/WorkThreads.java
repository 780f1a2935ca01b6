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

package io.github.watchdoglock.leader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;

/**
 * Threads of the JVM for work and optionally for listeners, and no threads for anything
 * else; their clock moves by hand.
 */
final class WorkThreads implements Threads {

	private final ManualTicker ticker;

	private final boolean listeners;

	/** The names of all threads that were started. */
	final List<String> started = new CopyOnWriteArrayList<>();

	/** Create threads for work, or for work and listeners. */
	WorkThreads(ManualTicker ticker, boolean listeners) {
		this.ticker = ticker;
		this.listeners = listeners;
	}

	@Override
	public Thread start(String name, Runnable work) {
		this.started.add(name);
		if (name.startsWith("watchdog-lock-leader-role-")
				|| (this.listeners && name.equals("watchdog-lock-leader-listener"))) {
			return Threads.system().start(name, work);
		}
		work.run();
		return Thread.currentThread();
	}

	@Override
	public long elapsed() {
		return this.ticker.read();
	}

	@Override
	public double random() {
		return 0.5;
	}

}
