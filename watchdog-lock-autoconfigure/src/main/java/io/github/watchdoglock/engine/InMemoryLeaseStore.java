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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;

/**
 * A store inside this JVM, for tests and for applications of a single instance.
 * Thread-safe.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class InMemoryLeaseStore implements LeaseStore, LeaseInspector, WakeUps {

	/**
	 * Create an empty store.
	 * @param ticker the clock by which leases run out
	 * @param wallClock where fencing tokens start
	 */
	public InMemoryLeaseStore(Ticker ticker, InstantSource wallClock) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Optional<LockState>> find(LockKey key, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Boolean> force(LockKey key, Duration timeout) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void subscribe(String instance, Hints hints) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void unsubscribe(String instance) {
		throw new UnsupportedOperationException();
	}

}
