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

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The state of an outage of a {@link ReconnectingConnection}, between two connections
 * that worked. It logs one warning, logs the end of the outage once, and makes the delay
 * longer from attempt to attempt. Not thread-safe.
 */
public final class ConnectionBackOff {

	/**
	 * The shortest delay. A restart of Redis does not cost a lease, and the attempts are
	 * no load.
	 */
	public static final Duration MIN_DELAY = Duration.ofMillis(50);

	/** The longest delay. */
	public static final Duration MAX_DELAY = Duration.ofSeconds(1);

	/**
	 * How long opening a connection may take. By default, the timeout of a command is at
	 * most as long.
	 */
	public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	/** How long the shutdown of a client waits for its threads. */
	public static final Duration SHUTDOWN_TIME = Duration.ofSeconds(1);

	private static final Log logger = LogFactory.getLog(ConnectionBackOff.class);

	private final String address;

	private final String purpose;

	private final @Nullable ConnectionBackOff other;

	private long delay = MIN_DELAY.toMillis();

	private long opened;

	private int failures;

	private boolean warned;

	/**
	 * Create a back-off for a connection.
	 * @param address the address of the server, as the log shows it
	 * @param purpose the purpose of the connection, such as " for locks"
	 * @param other the back-off of another connection to the same address, on the same
	 * thread; while that connection fails, only its failures are logged; may be null
	 */
	public ConnectionBackOff(String address, String purpose, @Nullable ConnectionBackOff other) {
		this.address = address;
		this.purpose = purpose;
		this.other = other;
	}

	/**
	 * Report that the connection was lost or could not be opened. An outage breaks both
	 * connections, in either order, so the second one is not logged before it has failed
	 * twice.
	 * @param reason the reason
	 */
	public void report(Throwable reason) {
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

	/**
	 * End the outage, because a connection was opened.
	 */
	public void end() {
		if (this.warned) {
			this.warned = false;
			BackgroundLog.log(() -> logger.info("Connected again to " + this.address + this.purpose));
		}
		this.failures = 0;
		this.opened = System.nanoTime();
	}

	/**
	 * Return the delay after the loss of a connection. There is none after a connection
	 * that worked for a while. A connection that is lost soon after it was opened is
	 * reopened less and less often.
	 * @return the delay in milliseconds
	 */
	public long delayAfterLoss() {
		return nextDelay(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.opened));
	}

	/**
	 * Return a delay, with jitter so that instances do not reconnect together. The
	 * duration of the failed attempt or of the lost connection is subtracted. If that was
	 * at least the longest delay, there is no delay, and the next delay is the shortest
	 * one. So an attempt is already under way when a paused server continues, and a
	 * connection that is lost once more then is reopened soon.
	 * @param taken the duration in milliseconds
	 * @return the delay in milliseconds
	 */
	public long nextDelay(long taken) {
		if (taken >= MAX_DELAY.toMillis()) {
			this.delay = MIN_DELAY.toMillis();
			return 0;
		}
		long jittered = this.delay / 2 + ThreadLocalRandom.current().nextLong(this.delay / 2 + 1);
		this.delay = Math.min(2 * this.delay, MAX_DELAY.toMillis());
		return Math.max(jittered - taken, 0);
	}

}
