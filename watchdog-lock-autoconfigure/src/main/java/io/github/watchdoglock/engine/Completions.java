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
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Completes users' futures, on a few daemon threads that exist while there is something
 * to complete. Never an executor of the application's: one that throws, blocks or lets
 * the caller run would stop an I/O thread or the watchdog, and one whose threads wait for
 * these very futures would never come to complete them.
 */
final class Completions implements Executor {

	/*
	 * What depends on the futures is short; what blocks belongs on the user's executor.
	 */
	private static final int MAX_THREADS = 8;

	private final ThreadPoolExecutor threads;

	Completions() {
		this.threads = new ThreadPoolExecutor(MAX_THREADS, MAX_THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread thread = new Thread(task, "watchdog-lock-completions");
					thread.setDaemon(true);
					return thread;
				});
		this.threads.allowCoreThreadTimeOut(true);
	}

	/*
	 * The threads end with what there is to complete; what comes later is completed too.
	 */
	void close() {
		this.threads.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

}
