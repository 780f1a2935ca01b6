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

package io.github.watchdoglock.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * The options of a list of locks. Immutable.
 *
 * @param limit the maximum number of entries, up to 1,000, because each entry increases
 * the size of the answer and the time that the application needs for it
 * @param stacks whether the stacks of the holders' threads are included
 * @param keysShown whether keys are shown
 */
record Listing(int limit, boolean stacks, boolean keysShown) {

	private static final int DEFAULT_LIMIT = 100;

	private static final int MAX_LIMIT = 1_000;

	Listing {
		if (limit < 0 || limit > MAX_LIMIT) {
			throw new InvalidEndpointRequestException("'limit' is " + limit,
					"'limit' must be from 0 to " + MAX_LIMIT + ", and was " + limit);
		}
	}

	static Listing of(@Nullable Integer limit, @Nullable Boolean stack, boolean keysShown) {
		return new Listing((limit != null) ? limit : DEFAULT_LIMIT, Boolean.TRUE.equals(stack), keysShown);
	}

}
