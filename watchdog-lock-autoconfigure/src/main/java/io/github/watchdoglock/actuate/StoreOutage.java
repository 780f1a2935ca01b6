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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The time from a lock's loss to the store's next answer. While it lasts somebody asks
 * the store, so that it ends though no lock is used; that takes a thread, which exists
 * for no longer.
 */
final class StoreOutage {

	/* Nothing begins after it. */
	private static final Episode CLOSED = new Episode(LockKey.of("none"), Instant.MIN);

	private final Consumer<LockKey> asking;

	private final Duration interval;

	private final InstantSource wallClock;

	private final AtomicReference<@Nullable Episode> current = new AtomicReference<>();

	/*
	 * What asks may wait for the answer, throw, and end this.
	 */
	StoreOutage(Consumer<LockKey> asking, Duration interval, InstantSource wallClock) {
		this.asking = asking;
		this.interval = interval;
		this.wallClock = wallClock;
	}

	void begin(LockKey lost) {
		Episode episode = new Episode(lost, this.wallClock.instant());
		if (this.current.compareAndSet(null, episode)) {
			Thread thread = new Thread(() -> ask(episode), "watchdog-lock-health");
			thread.setDaemon(true);
			thread.start();
		}
	}

	void end() {
		Episode episode = current();
		if (episode != null && this.current.compareAndSet(episode, null)) {
			episode.over.countDown();
		}
	}

	void close() {
		Episode episode = this.current.getAndSet(CLOSED);
		if (episode != null) {
			episode.over.countDown();
		}
	}

	@Nullable Episode current() {
		Episode episode = this.current.get();
		return (episode != CLOSED) ? episode : null;
	}

	private void ask(Episode episode) {
		try {
			while (!episode.over.await(this.interval.toNanos(), TimeUnit.NANOSECONDS)) {
				try {
					this.asking.accept(episode.lost);
				}
				catch (Throwable ex) {
					// No answer yet.
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * An outage.
	 */
	static final class Episode {

		final LockKey lost;

		final Instant since;

		private final CountDownLatch over = new CountDownLatch(1);

		private Episode(LockKey lost, Instant since) {
			this.lost = lost;
			this.since = since;
		}

	}

}
