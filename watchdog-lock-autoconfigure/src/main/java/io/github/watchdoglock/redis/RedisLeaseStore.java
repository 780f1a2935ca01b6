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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.netty.util.Timer;

/**
 * The store of leases in Redis, with one script for each verb. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class RedisLeaseStore implements LeaseStore, LeaseInspector {

	private final ScriptExecutor executor;

	private final ScriptArguments arguments;

	private final Renewals renewals;

	private final Timer timer;

	private final StoreFailures failures;

	/*
	 * Acquisitions that have not been answered, so that a release does not overtake an
	 * acquisition of its attempt that Redis has not received yet.
	 */
	private final Map<AttemptId, ScriptCall> acquiring = new ConcurrentHashMap<>();

	RedisLeaseStore(ScriptExecutor executor, RedisLockSettings settings, Timer timer, String address) {
		this.executor = executor;
		this.timer = timer;
		this.failures = new StoreFailures(address);
		this.arguments = new ScriptArguments(settings, executor.countsListeners());
		this.renewals = new Renewals(executor, this.arguments, timer, this.failures);
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		ScriptCall call = this.arguments.acquire(command);
		this.acquiring.put(command.attempt(), call);
		call.answer().whenComplete((answer, failure) -> this.acquiring.remove(command.attempt(), call));
		return run(call, command.timeout(), ScriptAnswers::acquired);
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return this.renewals.send(commands);
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		ScriptCall acquire = this.acquiring.get(command.attempt());
		if (acquire != null) {
			acquire.giveUp();
		}
		ScriptCall call = this.arguments.release(command);
		return run(call, command.timeout(), ScriptAnswers::released);
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return run(this.arguments.find(key), timeout, (answer) -> ScriptAnswers.found(key, answer));
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return run(this.arguments.force(key, token), timeout, ScriptAnswers::forced);
	}

	@Override
	public CompletionStage<List<LockState>> request(LockKey key, long token, Duration timeout) {
		return run(this.arguments.request(key, token), timeout, (answer) -> ScriptAnswers.found(key, answer));
	}

	private <T> CompletionStage<T> run(ScriptCall call, Duration timeout, Function<List<String>, T> reader) {
		CompletableFuture<T> result = new CompletableFuture<>();
		call.within(timeout, this.timer).whenComplete((answer, failure) -> {
			if (failure != null) {
				result.completeExceptionally(this.failures.of(call.isSent(), failure));
				return;
			}
			try {
				result.complete(reader.apply(answer));
			}
			catch (RuntimeException ex) {
				result.completeExceptionally(this.failures.of(true, ex));
			}
		});
		this.executor.run(call);
		return result;
	}

}
