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

import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * Consecutive fencing tokens that the store has set aside for one grant.
 *
 * @param first the smallest
 * @param last the greatest, inclusive
 */
public record TokenBlock(long first, long last) {

	/**
	 * How many tokens a grant is given at once that may be handed on: enough for the
	 * local hand-offs of a busy lease, and few enough that a crash leaves no gap that
	 * matters in 63 bits.
	 */
	public static final int SIZE = 1_024;

	/**
	 * What is set aside besides for a grant: {@link #SIZE} tokens; one where others have
	 * the key with it, whose tokens come between.
	 * @param first the first token
	 * @param kind how the grant has its key
	 * @return the block
	 */
	public static TokenBlock startingAt(long first, Kind kind) {
		return new TokenBlock(first, kind.isShared() ? first : first + SIZE - 1);
	}

}
