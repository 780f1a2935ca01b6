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

/**
 * What the store says to {@link AcquireCommand}.
 */
public sealed interface AcquireAnswer {

	/**
	 * The attempt owns the key.
	 *
	 * @param block the tokens of this lease; the same when the command is repeated
	 * @param contended whether others wait
	 */
	record Granted(TokenBlock block, boolean contended) implements AcquireAnswer {

	}

	/**
	 * Somebody else has the key, or it is reserved for somebody else.
	 *
	 * @param holder label of who has it
	 * @param remaining how long that lasts unless it is renewed
	 * @param placed whether the attempt has a place in the queue
	 */
	record Busy(String holder, Duration remaining, boolean placed) implements AcquireAnswer {

	}

	/**
	 * What the attempt had is over, and it gets nothing any more: what comes late revives
	 * nothing.
	 */
	record Ended() implements AcquireAnswer {

	}

}
