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
 * Consecutive fencing tokens that the store has reserved for one lease.
 *
 * @param first the smallest token
 * @param last the greatest token, inclusive
 */
public record TokenBlock(long first, long last) {

	/**
	 * The number of tokens reserved at once for a lease that may be handed on: enough for
	 * the local hand-offs of a busy lease, and few enough that the gaps that crashes
	 * leave do not matter in 63 bits.
	 */
	public static final int SIZE = 1_024;

	/*
	 * Twice the hand-offs of a turn. It is small because unused tokens of permits are not
	 * returned.
	 */
	private static final int OF_PERMITS = 32;

	/**
	 * Return the maximum number of tokens that a lease may be given at once:
	 * {@link #SIZE}; fewer for permits, whose blocks are adjacent; one for readers, who
	 * do not hand the lease on and share one token.
	 * @param kind the kind in which the key is held
	 * @return the number
	 */
	public static int most(Kind kind) {
		if (!kind.isShared()) {
			return SIZE;
		}
		return kind.isPermit() ? OF_PERMITS : 1;
	}

	/**
	 * Return a block for a lease that requests a number of tokens.
	 * @param first the first token
	 * @param kind the kind in which the key is held
	 * @param wanted the number of tokens requested
	 * @return the block
	 */
	public static TokenBlock startingAt(long first, Kind kind, int wanted) {
		return new TokenBlock(first, first + Math.min(wanted, most(kind)) - 1);
	}

}
