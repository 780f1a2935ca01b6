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

package io.github.watchdoglock.metrics;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.micrometer.observation.Observation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ends observations on a separate thread, which exists while there are any to end.
 * Exporters may block, and neither a caller nor the watchdog waits for them. Observations
 * beyond the capacity of its queue never end.
 */
final class ObservationEnds implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ObservationEnds.class);

	/* The observations of a very busy instance in a second; a few megabytes at most. */
	private static final int CAPACITY = 10_000;

	private final ThreadPoolExecutor thread;

	private final AtomicBoolean warned = new AtomicBoolean();

	ObservationEnds() {
		this.thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> {
					Thread thread = new Thread(task, "watchdog-lock-observations");
					thread.setDaemon(true);
					return thread;
				}, (task, executor) -> dropped());
		this.thread.allowCoreThreadTimeOut(true);
	}

	void end(Observation observation, @Nullable Throwable failure) {
		if (observation.isNoop()) {
			return;
		}
		this.thread.execute(() -> Guard.run(() -> {
			if (failure != null) {
				observation.error(failure);
			}
			observation.stop();
		}));
	}

	private void dropped() {
		if (!this.thread.isShutdown() && this.warned.compareAndSet(false, true)) {
			logger.warn("Some observations of locks are missing: handlers cannot keep up with the locks of"
					+ " this instance");
		}
	}

	/* Waits for at most a second until the queued observations are ended. */
	@Override
	public void close() {
		this.thread.shutdown();
		try {
			this.thread.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
