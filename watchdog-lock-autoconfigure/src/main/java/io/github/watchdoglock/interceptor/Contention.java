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

import java.util.function.Supplier;

import io.github.watchdoglock.LockNotAcquiredException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets in place of a method's result when its lock is not to be had in
 * time.
 */
@FunctionalInterface
interface Contention {

	/**
	 * The exception.
	 */
	Contention FAIL = (target, arguments, cause) -> {
		throw cause;
	};

	/**
	 * Decide it.
	 * @param target the object on which the method was called
	 * @param arguments the method's arguments
	 * @param cause who has the lock
	 * @return the result
	 * @throws Throwable what the caller gets instead
	 */
	@Nullable Object resolve(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException cause)
			throws Throwable;

	/* What a method that was not run returns. */
	static Contention skip(Supplier<@Nullable Object> result) {
		Log logger = LogFactory.getLog(Contention.class);
		return (target, arguments, cause) -> {
			logger.debug("The method is skipped: " + cause.getMessage());
			return result.get();
		};
	}

}
