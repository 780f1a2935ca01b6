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

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.watchdoglock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Another method, called on the target in place of the locked one.
 *
 * @param method the method
 * @param exceptionIndex where it takes the exception, negative where it doesn't
 */
record Fallback(Method method, int exceptionIndex) implements Contention {

	@Override
	public @Nullable Object resolve(@Nullable Object target, @Nullable Object[] arguments,
			LockNotAcquiredException cause) throws Throwable {
		if (this.exceptionIndex < 0) {
			return AopUtils.invokeJoinpointUsingReflection(target, this.method, arguments);
		}
		List<@Nullable Object> all = new ArrayList<>(Arrays.asList(arguments));
		all.add(this.exceptionIndex, cause);
		return AopUtils.invokeJoinpointUsingReflection(target, this.method, all.toArray());
	}

}
