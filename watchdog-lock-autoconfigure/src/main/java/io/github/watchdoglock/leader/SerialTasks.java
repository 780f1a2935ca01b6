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

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one after another, on whichever thread finds none running. No thread waits
 * for another one. Thread-safe.
 */
final class SerialTasks {

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final Consumer<Throwable> failed;

	/**
	 * Create it.
	 * @param failed receives what a task throws
	 */
	SerialTasks(Consumer<Throwable> failed) {
		this.failed = failed;
	}

	/* Runs it before it returns, unless another task is running. */
	void execute(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() == 0) {
			do {
				runNext();
			}
			while (this.pending.decrementAndGet() > 0);
		}
	}

	private void runNext() {
		try {
			this.tasks.remove().run();
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	/* Tasks go on, whatever happens. */
	private void fail(Throwable cause) {
		try {
			this.failed.accept(cause);
		}
		catch (Throwable ex) {
			// There is nobody left to notify.
		}
	}

}
