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

package io.github.watchdoglock.interceptor.contention;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockNotAcquiredException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/**
 * A policy for calls whose lock cannot be acquired in time: it returns a replacement of
 * the method's result, or throws.
 */
@FunctionalInterface
public interface Contention {

	/**
	 *
	 * Throws the exception.
	 *
	 */
	Contention FAIL = (target, arguments, cause) -> {
		throw cause;
	};

	/**
	 * Return the replacement of the result.
	 * @param target the object on which the method was called
	 * @param arguments the method's arguments
	 * @param cause the exception, which names the holder of the lock
	 * @return the result
	 * @throws Throwable the replacement of the result, if it is an exception
	 */
	@Nullable Object resolve(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException cause)
			throws Throwable;

	/**
	 * Return a policy that calls another method. Fails if that method cannot be called.
	 * @param attribute the attribute that names it, as messages quote it
	 * @param name the name of that method
	 * @param method the locked method
	 * @param targetClass the class of the objects that have both methods
	 * @return the policy
	 */
	static Contention fallback(String attribute, String name, Method method, Class<?> targetClass) {
		return Fallback.find(attribute, name, method, targetClass);
	}

	/**
	 * Return a policy that skips the method and returns the empty value of its type.
	 * Fails if there is no such value.
	 * @param method the method
	 * @param result the result type of the method
	 * @param why the setting that requests this, for the message of the failure
	 * @param action the beginning of the advice in that message; the types that can be
	 * returned are appended
	 * @return the policy
	 */
	static Contention skip(Method method, ResultType result, String why, String action) {
		Supplier<@Nullable Object> empty = EmptyResults.of(result);
		if (empty == null || (isNonNull(method, result) && EmptyResults.of(result.content()).get() == null)) {
			throw new LockConfigurationException(method,
					why + ", and it returns " + describe(result.type())
							+ ", so there is no value to return when it is skipped",
					action + alternative(result.type()) + ".");
		}
		Log logger = LogFactory.getLog(Contention.class);
		return (target, arguments, cause) -> {
			logger.debug("The method is skipped: " + cause.getMessage());
			return empty.get();
		};
	}

	/* Whether a value is returned, and Kotlin says that it is never null. */
	private static boolean isNonNull(Method method, ResultType result) {
		return result.isValue() && result.type() != void.class
				&& KotlinDetector.isKotlinType(method.getDeclaringClass()) && KotlinDetector.isKotlinReflectPresent()
				&& !new MethodParameter(method, -1).isOptional();
	}

	private static String describe(Class<?> type) {
		return type.isPrimitive() ? "the primitive " + type : "a " + type.getSimpleName() + " that is never empty";
	}

	private static String alternative(Class<?> type) {
		return type.isPrimitive() ? ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " or an Optional"
				: "a type that may be null or empty";
	}

}
