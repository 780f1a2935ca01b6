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
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Commands of one attempt for one key, with short timeouts.
 *
 * @param key the key
 * @param attempt the attempt
 * @param timeout how long an answer may take
 */
record StoreCommands(LockKey key, AttemptId attempt, Duration timeout) {

	static final Duration LEASE = Duration.ofSeconds(30);

	static final Duration POLL = Duration.ofSeconds(1);

	/** Times out calls of all tests. */
	static final CallTimeouts TIMEOUTS = new CallTimeouts();

	static StoreCommands fresh() {
		return fresh(Duration.ofSeconds(2));
	}

	static StoreCommands fresh(Duration timeout) {
		return new StoreCommands(LockKey.of("fault", UUID.randomUUID().toString()),
				new AttemptId(UUID.randomUUID().toString(), 1), timeout);
	}

	StoreCommands rival() {
		return new StoreCommands(this.key, new AttemptId(UUID.randomUUID().toString(), 1), this.timeout);
	}

	/* The same commands for a shared kind of lock. */
	StoreCommands as(AttemptId.Kind kind) {
		return new StoreCommands(this.key, new AttemptId(this.attempt.instance(), this.attempt.number(), kind),
				this.timeout);
	}

	/* The name of the record in Redis. */
	String record() {
		return RedisRecord.name(this.key);
	}

	AcquireCommand acquire() {
		return new AcquireCommand(this.key, this.attempt, "holder", LEASE, 1, false, POLL, false, this.timeout);
	}

	AcquireAnswer acquire(LeaseStore store) {
		return join(store.acquire(acquire()));
	}

	long firstToken(LeaseStore store) {
		return ((AcquireAnswer.Granted) acquire(store)).block().first();
	}

	RenewCommand renew(long firstToken) {
		return new RenewCommand(this.key, this.attempt, firstToken, LEASE, false, this.timeout);
	}

	RenewAnswer renew(LeaseStore store, long firstToken) {
		return join(store.renew(List.of(renew(firstToken))).get(0));
	}

	ReleaseCommand release() {
		return new ReleaseCommand(this.key, this.attempt, ReleaseCommand.NONE, Duration.ZERO, null, this.timeout);
	}

	/* The release of a lease that no other command has changed, as far as is known. */
	ReleaseCommand releaseUnchanged(long token) {
		return new ReleaseCommand(this.key, this.attempt, token, Duration.ZERO, null, this.timeout,
				new ReleaseCommand.Grant("holder", LEASE));
	}

	ReleaseAnswer release(LeaseStore store) {
		return join(store.release(release()));
	}

	/* The error because of which a free key cannot be acquired. */
	static LockStoreException refusal(RedisLocks locks) {
		return failure(locks.store().acquire(fresh().acquire()), LockStoreException.class);
	}

	static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
	}

	/* An error with an unknown outcome does not match another type. */
	static <E extends Throwable> E failure(CompletionStage<?> stage, Class<E> type) {
		Throwable cause = catchThrowableOfType(CompletionException.class, () -> join(stage)).getCause();
		boolean unknown = cause instanceof OutcomeUnknownException;
		if (!type.isInstance(cause) || unknown != (type == OutcomeUnknownException.class)) {
			throw new AssertionError("expected a " + type.getSimpleName(), cause);
		}
		return type.cast(cause);
	}

}
