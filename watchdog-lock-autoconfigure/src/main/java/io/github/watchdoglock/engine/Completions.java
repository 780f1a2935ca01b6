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

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Runs what depends on users' futures: on the application's executor, or on a few daemon
 * threads of its own, also where the application's takes no more. Never blocks the caller
 * unless the application's executor does.
 */
final class Completions implements Executor {

	/* Users' completions are short; what blocks in them belongs on their own executor. */
	private static final int MAX_THREADS = 8;

	private final @Nullable Executor executor;

	private final ThreadPoolExecutor own;

	Completions(@Nullable Executor executor) {
		this.executor = executor;
		this.own = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				(task) -> {
					Thread thread = new Thread(task, "watchdog-lock-completions");
					thread.setDaemon(true);
					return thread;
				});
		this.own.allowCoreThreadTimeOut(true);
	}

	@Override
	public void execute(Runnable task) {
		if (this.executor != null) {
			try {
				this.executor.execute(task);
				return;
			}
			catch (RejectedExecutionException ex) {
				// Full or shut down: the caller's future must end all the same.
			}
		}
		this.own.execute(task);
	}

}
