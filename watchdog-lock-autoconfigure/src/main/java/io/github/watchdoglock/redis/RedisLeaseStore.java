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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.redis.connection.StoreFailures;
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

/**
 * The store of leases in Redis, with one script for each verb. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class RedisLeaseStore implements LeaseStore, LeaseInspector {

	private final Consumer<ScriptCall<?>> connection;

	private final ScriptArguments arguments;

	private final Renewals renewals;

	private final CallTimeouts timeouts;

	private final StoreFailures failures;

	/*
	 * Acquisitions that have not been answered, so that a release does not overtake an
	 * acquisition of its attempt that Redis has not received yet.
	 */
	private final Map<AttemptId, ScriptCall<?>> acquiring = new ConcurrentHashMap<>();

	/**
	 * Create the store.
	 * @param connection sends calls, as {@link LettuceScripts#send} does
	 * @param arguments creates the arguments of scripts
	 * @param clustered whether the keys of one call must share a slot
	 * @param timeouts ends calls
	 * @param address the address of Redis, as people read it
	 */
	RedisLeaseStore(Consumer<ScriptCall<?>> connection, ScriptArguments arguments, boolean clustered,
			CallTimeouts timeouts, String address) {
		this.connection = connection;
		this.timeouts = timeouts;
		this.failures = new StoreFailures(address);
		this.arguments = arguments;
		this.renewals = new Renewals(connection, arguments, clustered, timeouts, this.failures);
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		ScriptCall<AcquireAnswer> call = call(LockScript.ACQUIRE, this.arguments.acquire(command),
				ScriptAnswers::acquired);
		this.acquiring.put(command.attempt(), call);
		call.whenComplete((answer, failure) -> this.acquiring.remove(command.attempt(), call));
		return run(call, command.timeout());
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return this.renewals.send(commands);
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		ScriptCall<?> acquire = this.acquiring.get(command.attempt());
		if (acquire != null) {
			acquire.giveUp();
		}
		ScriptCall<ReleaseAnswer> call = call(LockScript.RELEASE, this.arguments.release(command),
				ScriptAnswers::released);
		call.tryFirst(() -> this.arguments.setIfEqual(command));
		return run(call, command.timeout());
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return find(key, this.arguments.of(LockScript.FIND, key), timeout);
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		EncodedArguments arguments = this.arguments.withToken(LockScript.FORCE, key, token);
		return run(call(LockScript.FORCE, arguments, ScriptAnswers::forced), timeout);
	}

	@Override
	public CompletionStage<List<LockState>> request(LockKey key, long token, Duration timeout) {
		return find(key, this.arguments.withToken(LockScript.FIND, key, token), timeout);
	}

	private CompletionStage<List<LockState>> find(LockKey key, EncodedArguments arguments, Duration timeout) {
		return run(call(LockScript.FIND, arguments, (answer) -> ScriptAnswers.found(key, answer)), timeout);
	}

	private <T> ScriptCall<T> call(LockScript script, EncodedArguments arguments, Function<List<String>, T> reader) {
		return new ScriptCall<>(script, arguments, reader, this.failures);
	}

	private <T> CompletionStage<T> run(ScriptCall<T> call, Duration timeout) {
		call.within(timeout, this.timeouts);
		this.connection.accept(call);
		return call;
	}

}
