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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.github.watchdoglock.samples.flashsale.FlashSaleApplication;
import jakarta.annotation.PreDestroy;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * The latest warnings about locks in the log of this instance. They are only kept in
 * memory, because threads that renew locks write them.
 */
@Component
class LogLines extends AppenderBase<ILoggingEvent> {

	private static final String SAMPLE = FlashSaleApplication.class.getPackageName();

	private static final int LINES = 8;

	/* The state of an instance has to fit into its row. */
	private static final int LENGTH = 300;

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.watchdoglock");

	private final Deque<Line> lines = new ArrayDeque<>();

	LogLines() {
		setContext(this.logger.getLoggerContext());
		start();
		this.logger.addAppender(this);
	}

	@PreDestroy
	void detach() {
		this.logger.detachAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		if (event.getLevel().isGreaterOrEqual(Level.WARN) && !event.getLoggerName().startsWith(SAMPLE)) {
			synchronized (this.lines) {
				String text = event.getLevel() + " " + event.getFormattedMessage();
				this.lines.addLast(new Line(event.getTimeStamp(), text.substring(0, Math.min(text.length(), LENGTH))));
				if (this.lines.size() > LINES) {
					this.lines.removeFirst();
				}
			}
		}
	}

	List<Line> latest() {
		synchronized (this.lines) {
			return List.copyOf(this.lines);
		}
	}

	/**
	 * A line of a log.
	 *
	 * @param at the time, in ms since 1970
	 * @param text the level and the message
	 */
	record Line(long at, String text) {

	}

}
