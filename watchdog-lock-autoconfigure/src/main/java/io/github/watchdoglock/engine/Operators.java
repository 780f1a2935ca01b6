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
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;

/**
 * What operators may do with any instance's locks, waiting for the answer.
 */
final class Operators {

	private final LeaseInspector inspector;

	private final Duration timeout;

	Operators(LeaseInspector inspector, Duration timeout) {
		this.inspector = inspector;
		this.timeout = timeout;
	}

	Optional<LockState> find(LockKey key) {
		return answer("find", key, this.inspector.find(LongKeys.bounded(key), this.timeout))
			.map((state) -> new LockState(key, state.holder(), state.token(), state.remaining(), state.waiting()));
	}

	boolean force(LockKey key) {
		return answer("force", key, this.inspector.force(LongKeys.bounded(key), this.timeout));
	}

	private static <T> T answer(String verb, LockKey key, CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			Throwable cause = StoreCalls.cause(ex);
			throw new LockStoreException("Could not " + verb + " lock '" + key + "': " + cause.getMessage(), cause);
		}
	}

}
