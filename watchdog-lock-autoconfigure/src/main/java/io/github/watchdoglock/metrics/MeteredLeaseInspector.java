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
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.ForceAnswer;
import io.github.watchdoglock.store.LeaseInspector;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * An inspector whose commands are timed.
 */
public final class MeteredLeaseInspector implements LeaseInspector {

	private final LeaseInspector inspector;

	private final CommandTimers find;

	private final CommandTimers force;

	/**
	 * Create an inspector.
	 * @param inspector what does the work
	 * @param registry where the timers are registered
	 */
	public MeteredLeaseInspector(LeaseInspector inspector, MeterRegistry registry) {
		this.inspector = inspector;
		this.find = Guard.register(registry, (target) -> new CommandTimers(target, "find"));
		this.force = Guard.register(registry, (target) -> new CommandTimers(target, "force"));
	}

	@Override
	public CompletionStage<Optional<LockState>> find(LockKey key, Duration timeout) {
		return this.find.time(() -> this.inspector.find(key, timeout));
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, Duration timeout) {
		return this.force.time(() -> this.inspector.force(key, timeout));
	}

}
