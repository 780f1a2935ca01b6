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
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The log lines of a class, until this is closed.
 */
public final class Logged extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final Logger logger;

	/**
	 * Begin to record.
	 * @param type the class that logs
	 */
	public Logged(String type) {
		this.logger = (Logger) LoggerFactory.getLogger(type);
		start();
		this.logger.addAppender(this);
	}

	/**
	 * Set the level of all loggers of the library.
	 * @param level the level; null for the default
	 * @return the level until now
	 */
	public static @Nullable Level setLevel(@Nullable Level level) {
		Logger library = (Logger) LoggerFactory.getLogger("io.github.watchdoglock");
		Level before = library.getLevel();
		library.setLevel(level);
		return before;
	}

	@Override
	protected void append(ILoggingEvent event) {
		event.prepareForDeferredProcessing();
		this.events.add(event);
	}

	/**
	 * Return the lines so far.
	 * @return level, thread and message of each
	 */
	public List<String> lines() {
		return this.events.stream()
			.map((event) -> event.getLevel() + " on " + event.getThreadName() + ": " + event.getFormattedMessage())
			.toList();
	}

	/**
	 * Return what was logged with a line.
	 * @param line the index of the line
	 * @return the exception
	 */
	public Throwable thrown(int line) {
		return ((ThrowableProxy) Objects.requireNonNull(this.events.get(line).getThrowableProxy())).getThrowable();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
	}

}
