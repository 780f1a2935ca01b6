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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * The state of a holder in the store.
 *
 * @param key see the accessor; the same applies to the other components
 */
public record HolderState(LockKey key, String holder, long token, Duration remaining, int waiting, int holders,
		Mode mode, List<Integer> permits) implements LockState {

	/**
	 * Create a state.
	 * @param permits in any order, with duplicates
	 */
	public HolderState {
		permits = permits.stream().distinct().sorted().toList();
	}

	/**
	 * Create the state of one holder.
	 * @param key the lock
	 * @param holder label of the holder
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @param kind the kind in which the holder requested the key
	 * @return the state
	 */
	public static HolderState of(LockKey key, String holder, long token, Duration remaining, int waiting, Kind kind) {
		Mode mode = kind.isPermit() ? Mode.PERMIT : (kind.isShared() ? Mode.READ : Mode.EXCLUSIVE);
		return new HolderState(key, holder, token, remaining, waiting, 1, mode,
				kind.isPermit() ? List.of(kind.most()) : List.of());
	}

	/**
	 * Combine the states of all holders of a key.
	 * @param all the states, beginning with the one whose lease ends first
	 * @return the first state, with the number of holders and their numbers of permits
	 */
	public static Optional<LockState> first(List<LockState> all) {
		return all.stream()
			.findFirst()
			.map((first) -> new HolderState(first.key(), first.holder(), first.token(), first.remaining(),
					first.waiting(), all.size(), first.mode(),
					all.stream().flatMap((state) -> state.permits().stream()).toList()));
	}

}
