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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A store, and what operators ask of it, whose commands are timed. Renewals that are sent
 * together count one by one.
 */
public final class MeteredLeases implements LeaseStore, LeaseInspector {

	private final LeaseStore store;

	private final LeaseInspector inspector;

	private final CommandTimers acquire;

	private final CommandTimers renew;

	private final CommandTimers release;

	private final CommandTimers find;

	private final CommandTimers force;

	/**
	 * Create a store.
	 * @param store does the work
	 * @param inspector does the work of operators
	 * @param registry where the timers are registered
	 */
	public MeteredLeases(LeaseStore store, LeaseInspector inspector, MeterRegistry registry) {
		this.store = store;
		this.inspector = inspector;
		this.acquire = timers(registry, "acquire");
		this.renew = timers(registry, "renew");
		this.release = timers(registry, "release");
		this.find = timers(registry, "find");
		this.force = timers(registry, "force");
	}

	private static CommandTimers timers(MeterRegistry registry, String command) {
		return Guard.register(registry, (target) -> new CommandTimers(target, command));
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return this.acquire.time(() -> this.store.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		long sent = System.nanoTime();
		try {
			List<CompletionStage<RenewAnswer>> answers = new ArrayList<>(commands.size());
			this.store.renew(commands).forEach((answer) -> answers.add(this.renew.time(sent, answer)));
			return answers;
		}
		catch (RuntimeException | Error ex) {
			commands.forEach((command) -> this.renew.record(sent, ex));
			throw ex;
		}
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return this.release.time(() -> this.store.release(command));
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return this.find.time(() -> this.inspector.find(key, timeout));
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return this.force.time(() -> this.inspector.force(key, token, timeout));
	}

	@Override
	public CompletionStage<Boolean> ask(LockKey key, Duration timeout) {
		return this.find.time(() -> this.inspector.ask(key, timeout));
	}

}
