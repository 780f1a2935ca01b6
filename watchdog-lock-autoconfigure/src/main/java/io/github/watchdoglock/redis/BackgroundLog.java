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

package io.github.watchdoglock.redis;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Logs on a thread that exists while there is something to log: an appender may block,
 * and who has news of connections may not. What is too much is not logged. Thread-safe.
 */
final class BackgroundLog {

	/* Each connection says once that it is lost, and once that it is there again. */
	private static final int MOST_LINES = 256;

	private static final ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(MOST_LINES), BackgroundLog::thread, new ThreadPoolExecutor.DiscardPolicy());

	static {
		thread.allowCoreThreadTimeOut(true);
	}

	private BackgroundLog() {
	}

	/* Never throws. */
	static void log(Runnable line) {
		try {
			thread.execute(line);
		}
		catch (Throwable ex) {
			// Nobody is left to tell.
		}
	}

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(work, "watchdog-lock-redis-log");
		thread.setDaemon(true);
		return thread;
	}

}
