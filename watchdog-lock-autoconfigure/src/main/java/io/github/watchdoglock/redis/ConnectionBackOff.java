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

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * One stretch of failures of a {@link ReconnectingConnection}, between two connections
 * that worked: one warning, one word of its end, and longer delays from attempt to
 * attempt. Not thread-safe.
 */
final class ConnectionBackOff {

	/* Short enough that a restart of Redis costs no lease, long enough to be no load. */
	static final Duration SHORTEST_DELAY = Duration.ofMillis(50);

	static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

	private static final Log logger = LogFactory.getLog(ConnectionBackOff.class);

	private final String address;

	private final String purpose;

	private final @Nullable ConnectionBackOff other;

	private long delay = SHORTEST_DELAY.toMillis();

	private long opened;

	private int failures;

	private boolean warned;

	/**
	 * Create it for a connection.
	 * @param address where the connection leads, as the log says it
	 * @param purpose what the connection is for, such as " for locks"
	 * @param other of another connection to the same address, on the same thread; while
	 * that fails, it alone is logged; may be null
	 */
	ConnectionBackOff(String address, String purpose, @Nullable ConnectionBackOff other) {
		this.address = address;
		this.purpose = purpose;
		this.other = other;
	}

	/*
	 * Both connections are lost in an outage, and either may be the first, so the second
	 * one is not logged before it has failed twice.
	 */
	void report(Throwable reason) {
		this.failures++;
		if (!this.warned && (this.other == null || (this.failures > 2 && !this.other.warned))) {
			this.warned = true;
			BackgroundLog.log(() -> logger.warn(describe(reason)));
		}
	}

	private String describe(Throwable reason) {
		String words = StoreFailures.withTlsAdvice(StoreFailures.describe(reason), this.address);
		return (words.startsWith(StoreFailures.NO_RESPONSE)
				? StringUtils.capitalize(this.address) + " did not respond within "
						+ words.substring(StoreFailures.NO_RESPONSE.length())
				: "No connection to " + this.address + this.purpose + ": " + words) + (words.endsWith(".") ? "" : ".")
				+ " The connection is retried every second.";
	}

	void end() {
		if (this.warned) {
			this.warned = false;
			BackgroundLog.log(() -> logger.info("Connected again to " + this.address + this.purpose));
		}
		this.failures = 0;
		this.opened = System.nanoTime();
	}

	/*
	 * None after a connection that was of use. What is lost as soon as it is there is
	 * opened less and less often.
	 */
	long delayAfterLoss() {
		return nextDelay(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.opened));
	}

	/*
	 * Milliseconds; jittered, so that instances do not come back together. From the begin
	 * of what did not last on: what took as long as the longest pause was one itself, and
	 * nothing has come too often. So the next attempt is under way when a server goes on
	 * that stood still, and what is lost once more then is opened soon.
	 */
	long nextDelay(long taken) {
		if (taken >= LONGEST_DELAY.toMillis()) {
			this.delay = SHORTEST_DELAY.toMillis();
			return 0;
		}
		long jittered = this.delay / 2 + ThreadLocalRandom.current().nextLong(this.delay / 2 + 1);
		this.delay = Math.min(2 * this.delay, LONGEST_DELAY.toMillis());
		return Math.max(jittered - taken, 0);
	}

}
