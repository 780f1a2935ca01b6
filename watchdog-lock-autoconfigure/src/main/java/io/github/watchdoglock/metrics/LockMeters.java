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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Fills meters with what happens to locks. Tagged by the name of a lock, never by its id,
 * and by a bounded number of names. Thread-safe; may be called inline, since it neither
 * blocks nor throws.
 */
public final class LockMeters implements LockListener {

	private static final String OTHER = "other";

	private static final Log logger = LogFactory.getLog(LockMeters.class);

	private final MeterRegistry registry;

	private final int maxNames;

	private final Map<String, NameMeters> byName = new ConcurrentHashMap<>();

	/* Guards registering, so that the number of names is exact. */
	private final ReentrantLock registering = new ReentrantLock();

	private volatile @Nullable NameMeters other;

	/**
	 * Create meters.
	 * @param registry where they are registered, a lock's when it is first used
	 * @param maxNames how many names have meters of their own; further ones share those
	 * tagged {@code other}
	 */
	public LockMeters(MeterRegistry registry, int maxNames) {
		this.registry = registry;
		this.maxNames = maxNames;
	}

	@Override
	public void waiting(LockKey key) {
		of(key).waiting.incrementAndGet();
	}

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		NameMeters meters = of(key);
		meters.waiting.decrementAndGet();
		meters.held.incrementAndGet();
		meters.acquired.record(waited);
	}

	@Override
	public void notAcquired(LockKey key, Outcome outcome, Duration waited) {
		NameMeters meters = of(key);
		meters.waiting.decrementAndGet();
		meters.notAcquired(outcome).record(waited);
	}

	@Override
	public void renewed(LockKey key, long token) {
		of(key).renewed.increment();
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		of(key).renewalFailed.increment();
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		NameMeters meters = of(loss.key());
		meters.held.decrementAndGet();
		meters.lostHold.record(held);
		meters.lost(loss.reason()).increment();
		if (loss.reason() == LockLoss.Reason.GONE) {
			meters.renewalGone.increment();
		}
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		NameMeters meters = of(key);
		meters.held.decrementAndGet();
		meters.releasedHold.record(held);
	}

	private NameMeters of(LockKey key) {
		NameMeters meters = this.byName.get(key.name());
		if (meters != null) {
			return meters;
		}
		NameMeters shared = this.other;
		return (shared != null) ? shared : register(key.name());
	}

	private NameMeters register(String name) {
		this.registering.lock();
		try {
			NameMeters meters = this.byName.get(name);
			if (meters != null) {
				return meters;
			}
			if (this.byName.size() < this.maxNames) {
				meters = create(name);
				this.byName.put(name, meters);
				return meters;
			}
			meters = (this.other != null) ? this.other : create(OTHER);
			this.other = meters;
			return meters;
		}
		finally {
			this.registering.unlock();
		}
	}

	/* Filters of the registry are users' code; a lock must not fail for a meter. */
	private NameMeters create(String name) {
		try {
			return new NameMeters(this.registry, name);
		}
		catch (RuntimeException ex) {
			logger.warn("Locks named '" + name + "' are not metered: the meter registry refused their meters", ex);
			return new NameMeters(new CompositeMeterRegistry(), name);
		}
	}

}
