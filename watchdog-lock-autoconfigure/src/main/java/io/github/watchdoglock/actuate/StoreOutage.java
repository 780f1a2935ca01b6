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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

	private final ThreadFactory threads;

	private final AtomicReference<@Nullable Episode> current = new AtomicReference<>();

	/*
	 * What asks may wait for the answer, throw, and end this.
	 */
	StoreOutage(Consumer<LockKey> asking, Duration interval, InstantSource wallClock, ThreadFactory threads) {
		this.asking = asking;
		this.interval = interval;
		this.wallClock = wallClock;
		this.threads = threads;
	}

	void begin(LockKey lost) {
		this.current.compareAndSet(null, new Episode(lost, this.wallClock.instant()));
		ensureAsked();
	}

	/*
	 * Have a thread ask, where none does: it could not be had, or has failed. What is
	 * lost next tries again, and so does who looks whether this is over.
	 */
	void ensureAsked() {
		Episode episode = current();
		if (episode != null && episode.asked.compareAndSet(false, true)) {
			try {
				this.threads.newThread(() -> ask(episode)).start();
			}
			catch (Throwable ex) {
				episode.asked.set(false);
			}
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
		finally {
			episode.asked.set(false);
		}
	}

	/**
	 * An outage.
	 */
	static final class Episode {

		final LockKey lost;

		final Instant since;

		private final AtomicBoolean asked = new AtomicBoolean();

		private final CountDownLatch over = new CountDownLatch(1);

		private Episode(LockKey lost, Instant since) {
			this.lost = lost;
			this.since = since;
		}

	}

}
