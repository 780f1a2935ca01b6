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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/**
 * The result type of a method, which determines when its work is done.
 *
 * @param type the return type; for a suspending function the type that it declares
 * @param content the type of the final value, {@link Object} if it is not known
 * @param kind how the end of the work is followed
 * @param adapter converts results to publishers and back; null if the type is not
 * reactive
 * @param late work that is left for later, and cannot be followed
 */
public record ResultType(Class<?> type, Class<?> content, Kind kind, @Nullable ReactiveAdapter adapter, LateWork late) {

	/**
	 * Return the result type of a method. Rejects types whose end cannot be followed.
	 * @param method the method
	 * @param targetClass the class of the objects that have it
	 * @return the result type
	 */
	public static ResultType of(Method method, Class<?> targetClass) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			Class<?> type = new MethodParameter(method, -1).getParameterType();
			ReactiveAdapter adapter = ReactiveTypes.adapterOfSuspending(method, type);
			ResolvableType declared = ResolvableType.forMethodParameter(new MethodParameter(method, -1));
			return new ResultType(type, type, Kind.REACTIVE, adapter,
					new LateWork(method, declared, adapter.isMultiValue()));
		}
		ResolvableType resolvable = ResolvableType.forMethodReturnType(method, targetClass);
		Class<?> type = resolvable.resolve(method.getReturnType());
		Class<?> content = resolvable.getGeneric(0).resolve(Object.class);
		if (CompletionStage.class.isAssignableFrom(type)) {
			// The caller gets another stage, which is complete after the release.
			if (!type.isAssignableFrom(CompletableFuture.class)) {
				throw new LockConfigurationException(method,
						"it returns a " + type.getName() + ", a kind of CompletionStage that the proxy cannot create",
						"Return a CompletionStage or a CompletableFuture.");
			}
			return new ResultType(type, content, Kind.STAGE, null, new LateWork(method, resolvable, true));
		}
		ReactiveAdapter adapter = ReactiveTypes.adapterOf(method, type);
		LateWork late = new LateWork(method, resolvable, adapter != null);
		return (adapter != null) ? new ResultType(type, content, Kind.REACTIVE, adapter, late)
				: new ResultType(type, type, Kind.PLAIN, null, late);
	}

	/**
	 * Return the stage with which a method's work ends, if the work continues after the
	 * return. If the declared type is general, such as {@code Object} or that of a type
	 * variable, the value decides.
	 * @param method the method
	 * @param value its return value
	 * @return the stage, null if the work is done
	 * @throws LockConfigurationException if the value is completed later, and its end can
	 * only be followed if its type is declared. Other values that leave work for later
	 * are logged once
	 */
	public @Nullable CompletionStage<?> unfinished(Method method, @Nullable Object value) {
		boolean declared = !this.type.isAssignableFrom(CompletableFuture.class);
		if (!declared && value instanceof CompletionStage<?> stage) {
			boolean done = stage instanceof CompletableFuture<?> future && future.toCompletableFuture().isDone();
			return done ? null : stage;
		}
		if (!declared && value != null && (value instanceof Future
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(value.getClass()) != null)) {
			throw new LockConfigurationException(
					LockConfigurationException.describe(method) + ": it has returned a " + value.getClass().getName()
							+ " and declares " + this.type.getSimpleName()
							+ ": the lock would be released before the work is done",
					"Declare the type that it returns.");
		}
		this.late.check(value);
		return null;
	}

	/**
	 * Return the problem of a result that is evaluated after the lock is released, and
	 * may not need the lock then.
	 * @return the problem, null if there is none
	 */
	public @Nullable String warning() {
		return this.late.warning();
	}

	/* Whether the caller gets the value itself, as from a suspending function. */
	boolean isValue() {
		return this.kind == Kind.PLAIN || (this.adapter != null && !this.adapter.isMultiValue()
				&& !this.adapter.getReactiveType().isAssignableFrom(this.type));
	}

	/**
	 * How the end of a method's work is followed.
	 */
	public enum Kind {

		/**
		 * It is done when the method returns.
		 */
		PLAIN,

		/**
		 * It is done when the stage is complete.
		 */
		STAGE,

		/**
		 * It begins with each subscription, and is done when that has ended.
		 */
		REACTIVE

	}

}
