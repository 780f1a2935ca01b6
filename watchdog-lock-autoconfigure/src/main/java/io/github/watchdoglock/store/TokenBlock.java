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

	/* Twice the hand-offs of a turn: what is not used never goes back. */
	private static final int OF_PERMITS = 32;

	/**
	 * How many tokens a grant may have at once: {@link #SIZE}; fewer of permits, whose
	 * blocks lie side by side; one where none is handed on, since all who read have the
	 * same.
	 * @param kind how the grant has its key
	 * @return the number
	 */
	public static int most(Kind kind) {
		if (!kind.isShared()) {
			return SIZE;
		}
		return kind.isPermit() ? OF_PERMITS : 1;
	}

	/**
	 * What is set aside besides for a grant: as many as it may have at once.
	 * @param first the first token
	 * @param kind how the grant has its key
	 * @return the block
	 */
	public static TokenBlock startingAt(long first, Kind kind) {
		return startingAt(first, kind, SIZE);
	}

	/**
	 * What is set aside for a grant that asks for tokens.
	 * @param first the first token
	 * @param kind how the grant has its key
	 * @param wanted how many it asks for
	 * @return the block
	 */
	public static TokenBlock startingAt(long first, Kind kind, int wanted) {
		return new TokenBlock(first, first + Math.min(wanted, most(kind)) - 1);
	}

}
