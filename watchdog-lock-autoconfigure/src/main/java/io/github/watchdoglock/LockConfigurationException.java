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

package io.github.watchdoglock;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown for annotations or properties that are not valid. Thrown before the
 * first lock is acquired, so that the application does not start. Says what is wrong and
 * how to correct it.
 */
public class LockConfigurationException extends RuntimeException {

	private final String action;

	/**
	 * Create an exception.
	 * @param description what is wrong
	 * @param action what to do about it
	 */
	public LockConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	/**
	 * Create an exception for the annotation of a method.
	 * @param method the method
	 * @param problem what is wrong
	 * @param action what to do about it
	 */
	public LockConfigurationException(Method method, String problem, String action) {
		this(method, problem, action, null);
	}

	/**
	 * Create an exception for the annotation of a method.
	 * @param method the method
	 * @param problem what is wrong
	 * @param action what to do about it
	 * @param cause the exception that revealed the problem, or null
	 */
	public LockConfigurationException(Method method, String problem, String action, @Nullable Throwable cause) {
		super("@DistributedLock on " + describe(method) + ": " + problem, cause);
		this.action = action;
	}

	/**
	 * Return how to correct the problem.
	 * @return a sentence
	 */
	public String getAction() {
		return this.action;
	}

	/**
	 * Return the description of a method for messages.
	 * @param method the method
	 * @return its class, its name and the types of its parameters
	 */
	public static String describe(Method method) {
		String parameters = Arrays.stream(method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", "));
		return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
	}

}
