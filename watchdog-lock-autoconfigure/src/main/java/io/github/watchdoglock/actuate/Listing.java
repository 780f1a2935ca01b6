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
 * How locks are to be listed. Immutable.
 *
 * @param limit how many at most
 * @param stacks whether with the stacks of their threads
 * @param keysShown whether keys are shown
 */
record Listing(int limit, boolean stacks, boolean keysShown) {

	private static final int DEFAULT_LIMIT = 100;

	static Listing of(@Nullable Integer limit, @Nullable Boolean stack, boolean keysShown) {
		if (limit != null && limit < 0) {
			throw new InvalidEndpointRequestException("'limit' is " + limit, "'limit' must not be negative");
		}
		return new Listing((limit != null) ? limit : DEFAULT_LIMIT, Boolean.TRUE.equals(stack), keysShown);
	}

}
