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

package io.github.watchdoglock.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The log lines of a class, until this is closed.
 */
public final class Logged implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Logger logger;

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord event) {
			Logged.this.lines.add(event.getLevel() + " on " + Thread.currentThread().getName() + ": "
					+ new SimpleFormatter().formatMessage(event));
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Begin to record.
	 * @param type the class that logs
	 */
	public Logged(String type) {
		this.logger = Logger.getLogger(type);
		this.logger.addHandler(this.handler);
	}

	/**
	 * Return the lines so far.
	 * @return level, thread and message of each
	 */
	public List<String> lines() {
		return this.lines;
	}

	@Override
	public void close() {
		this.logger.removeHandler(this.handler);
	}

}
