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

package io.github.watchdoglock.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * What operators ask of a store. Stages as those of {@link LeaseStore}.
 */
public interface LeaseInspector {

	/**
	 * Whoever has a key, whatever their tokens are.
	 */
	long ALL = 0;

	/**
	 * Look at a key.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return who has it, the one whose lease ends first before all others; empty where
	 * it is free or only reserved
	 */
	CompletionStage<List<LockState>> find(LockKey key, Duration timeout);

	/**
	 * Take a key from its owners and hand it on as a release does.
	 * @param key the key
	 * @param token the first token of the one that it is taken from; {@link #ALL} for all
	 * of them
	 * @param timeout how long the answer may take
	 * @return who had it
	 */
	CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout);

	/**
	 * Have the owners of a key told that they are asked to give it back. Nobody hears
	 * whether it has arrived.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return whether somebody has the key
	 */
	CompletionStage<Boolean> ask(LockKey key, Duration timeout);

	/**
	 * One of those who have a key.
	 * @param state what is known whatever its kind
	 * @param kind how it has asked
	 * @return its state
	 */
	static LockState had(LockState state, Kind kind) {
		if (!kind.isShared()) {
			return state;
		}
		return kind.isPermit() ? state.withPermits(List.of(kind.most())) : state.withMode(Mode.READ);
	}

	/**
	 * The one that stands for all who have a key.
	 * @param all their states, the one whose lease ends first before all others
	 * @return the first, which says how many there are, and by which numbers of permits
	 */
	static Optional<LockState> first(List<LockState> all) {
		return all.stream().findFirst().map((first) -> {
			LockState one = first.withHolders(all.size());
			List<Integer> permits = all.stream().flatMap((state) -> state.permits().stream()).toList();
			return permits.isEmpty() ? one : one.withPermits(permits);
		});
	}

	/**
	 * What a store answers to {@link LeaseInspector#force}.
	 *
	 * @param held whether somebody had the key, or it was kept for a minimum hold time
	 * @param owners the attempts that it was taken from; none where it was nobody's
	 */
	record ForceAnswer(boolean held, List<AttemptId> owners) {

		/**
		 * Nobody had the key, or nobody with that token.
		 */
		public static final ForceAnswer FREE = new ForceAnswer(false, List.of());

	}

}
