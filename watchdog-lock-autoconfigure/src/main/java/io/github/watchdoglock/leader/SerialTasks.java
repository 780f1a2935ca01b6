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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An executor that runs tasks one after another, in the order in which they were added.
 * No thread waits for another one. Thread-safe.
 */
final class SerialTasks implements Executor {

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final Executor executor;

	private final Consumer<Throwable> failureHandler;

	/**
	 * Create an executor.
	 * @param executor runs tasks until none is left; used while no task is running
	 * @param failureHandler receives everything that a task throws; must not throw
	 */
	SerialTasks(Executor executor, Consumer<Throwable> failureHandler) {
		this.executor = executor;
		this.failureHandler = failureHandler;
	}

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		if (this.pending.getAndIncrement() == 0) {
			this.executor.execute(this::runAll);
		}
	}

	private void fail(Throwable cause) {
		try {
			this.failureHandler.accept(cause);
		}
		catch (Throwable ex) {
			// The next task runs all the same.
		}
	}

	/* The number of tasks that have not ended. */
	int size() {
		return this.pending.get();
	}

	private void runAll() {
		do {
			try {
				this.tasks.remove().run();
			}
			catch (Throwable ex) {
				fail(ex);
			}
		}
		while (this.pending.decrementAndGet() > 0);
	}

}
