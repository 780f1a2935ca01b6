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
import java.util.Locale;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.listener.FenceObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The timers of the results of fences, by lock name. Thread-safe; may be called inline,
 * because it neither blocks nor throws.
 */
public final class FenceMeters implements FenceObserver {

	private final MeterRegistry registry;

	private final TagNames names;

	/**
	 * Create meters.
	 * @param registry the registry for the meters, which are registered when they are
	 * first used
	 * @param maxNames how many names have separate meters; further names share the meters
	 * tagged {@code other}
	 */
	public FenceMeters(MeterRegistry registry, int maxNames) {
		this.registry = registry;
		this.names = new TagNames(maxNames);
	}

	@Override
	public void observed(LockKey key, Outcome outcome, Duration took) {
		Guard.run(() -> Timer.builder("watchdog.lock.fence")
			.description("Fences in the database: raised for a hold, or the reason why it ended")
			.tags("lock", this.names.of(key.name()), "outcome", outcome.name().toLowerCase(Locale.ROOT))
			.register(this.registry)
			.record(took));
	}

}
