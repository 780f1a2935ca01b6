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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.redis.RedisAdmin;

/**
 * Detects times when the server, or the process with the proxies, does not run: a busy
 * machine is not a failure of locks.
 */
final class Pulse implements AutoCloseable {

	private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long TOO_LONG = TimeUnit.MILLISECONDS.toNanos(100);

	private final List<Window> stalls = new CopyOnWriteArrayList<>();

	private final RedisAdmin admin;

	private final Thread thread;

	private volatile boolean running = true;

	Pulse(RedisAdmin admin) {
		this.admin = admin;
		this.thread = new Thread(this::run, "pulse");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void run() {
		while (this.running) {
			long before = System.nanoTime();
			try {
				this.admin.command("ECHO", "here");
				TimeUnit.NANOSECONDS.sleep(INTERVAL);
			}
			catch (InterruptedException ex) {
				return;
			}
			long after = System.nanoTime();
			if (after - before > TOO_LONG) {
				this.stalls.add(new Window(Window.ALL, before, after));
			}
		}
	}

	/* The times when no instance could get an answer in time. */
	List<Window> stalls() {
		return this.stalls;
	}

	@Override
	public void close() throws InterruptedException {
		this.running = false;
		this.thread.join();
	}

}
