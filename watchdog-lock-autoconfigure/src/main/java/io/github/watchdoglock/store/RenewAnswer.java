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

import org.jspecify.annotations.Nullable;

/**
 * What the store says to {@link RenewCommand}.
 */
public sealed interface RenewAnswer {

	/**
	 * The lease lasts on.
	 *
	 * @param contended whether others wait
	 * @param next the block that was asked for, null where none was; only a block above
	 * the end of the one in use counts
	 */
	record Renewed(boolean contended, @Nullable TokenBlock next) implements RenewAnswer {

	}

	/**
	 * The attempt does not own the key with that token.
	 */
	record Gone() implements RenewAnswer {

	}

}
