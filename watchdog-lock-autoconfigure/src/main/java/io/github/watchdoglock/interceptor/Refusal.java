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

package io.github.watchdoglock.interceptor;

import io.github.watchdoglock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

/**
 * One of the locks was not to be had in time, and the others have been given back.
 *
 * @param contention what happens then
 * @param cause who has it
 */
record Refusal(Contention contention, LockNotAcquiredException cause) implements Taken {

	/* What the caller gets in place of the method's result. */
	@Nullable Object resolve(LockedCall call) throws Throwable {
		return this.contention.resolve(call.target(), call.arguments(), this.cause);
	}

}
