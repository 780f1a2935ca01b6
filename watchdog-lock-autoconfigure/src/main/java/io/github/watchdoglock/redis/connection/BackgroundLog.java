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

package io.github.watchdoglock.redis.connection;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A log writer with its own thread, because an appender may block, and the threads that
 * report on connections must not. The thread exists while there are lines to log. Lines
 * beyond the bound of the queue are dropped. Thread-safe.
 */
public final class BackgroundLog {

	/*
	 * Enough, because each connection logs one line when it is lost and one when it is
	 * back.
	 */
	private static final int MAX_LINES = 256;

	private static final ThreadPoolExecutor thread = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(MAX_LINES), BackgroundLog::thread, new ThreadPoolExecutor.DiscardPolicy());

	private BackgroundLog() {
	}

	/**
	 * Log a line. Never throws, and does not block.
	 * @param line logs it
	 */
	public static void log(Runnable line) {
		try {
			thread.execute(line);
		}
		catch (Throwable ex) {
			// There is no way left to report this failure.
		}
	}

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(work, "watchdog-lock-redis-log");
		thread.setDaemon(true);
		return thread;
	}

}
