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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.watchdoglock.LockConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Work that a method's result leaves for later, and whose end cannot be followed. It is
 * rejected if the declared type has it. If a part of that type is not known, such as
 * {@code Object}, the values are checked too. Types are compared by name, because their
 * libraries may be absent. Thread-safe.
 * <p>
 * Not found: such work in values of a stage or a publisher, in collections and in maps
 * whose declared type does not say so.
 */
final class LateWork {

	private static final Log logger = LogFactory.getLog(LateWork.class);

	private static final String COMPLETED = "Return a CompletableFuture, or the value itself";

	private static final String WRITTEN = "Return a Flux, or the whole content";

	/* The alternatives, as the advice to the user. */
	private static final Map<String, String> LATE = Map.of("java.util.concurrent.Callable", COMPLETED,
			"java.util.concurrent.Future", COMPLETED, "org.springframework.web.context.request.async.DeferredResult",
			COMPLETED, "org.springframework.web.context.request.async.WebAsyncTask", COMPLETED,
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter", WRITTEN,
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody", WRITTEN);

	/* Their use may need the lock. */
	private static final Set<String> LAZY = Set.of("java.lang.Runnable", "java.util.Enumeration", "java.util.Iterator",
			"java.util.Spliterator", "java.util.function.Supplier", "java.util.stream.BaseStream", "kotlin.Lazy",
			"kotlin.jvm.functions.Function0", "kotlin.sequences.Sequence");

	/* Type variables may refer to themselves. */
	private static final int DEPTH = 8;

	private final Method method;

	private final ResolvableType declared;

	private final AtomicBoolean reported = new AtomicBoolean();

	private boolean unknown;

	private @Nullable Class<?> lazy;

	/* If the end of the type itself is followed, only its content is checked. */
	LateWork(Method method, ResolvableType declared, boolean followed) {
		this.method = method;
		this.declared = declared;
		check(declared, 0, followed);
	}

	private void check(ResolvableType type, int depth, boolean followed) {
		Class<?> raw = type.resolve(Object.class);
		if (depth > DEPTH || raw == Class.class) {
			return;
		}
		String action = followed ? null : action(raw);
		if (action != null) {
			throw new LockConfigurationException(this.method,
					"it returns " + this + ", and the work of the " + raw.getSimpleName()
							+ " goes on after the return: the lock would be released before the work is done",
					action + ", or acquire the lock with LockService where the work is done.");
		}
		this.unknown |= raw == Object.class;
		// Spring Data's pages are also suppliers.
		if (find(raw, LAZY) != null && !Iterable.class.isAssignableFrom(raw)) {
			this.lazy = raw;
		}
		Stream<ResolvableType> contents = type.isArray() ? Stream.of(type.getComponentType())
				: Stream.of(type, type.as(Iterable.class), type.as(Map.class))
					.flatMap((container) -> Stream.of(container.getGenerics()));
		contents.forEach((content) -> check(content, depth + 1, false));
	}

	/* The advice; null if the type does not leave work for later. */
	private static @Nullable String action(Class<?> type) {
		if (CompletionStage.class.isAssignableFrom(type) || ReactiveTypes.includes(type)) {
			return "Return a CompletableFuture, a Mono or a Flux of everything else";
		}
		String late = find(type, LATE.keySet());
		return (late != null) ? LATE.get(late) : null;
	}

	/* The name of the type, or of one that it extends or implements. */
	private static @Nullable String find(@Nullable Class<?> type, Set<String> names) {
		if (type == null || names.contains(type.getName())) {
			return (type != null) ? type.getName() : null;
		}
		String found = find(type.getSuperclass(), names);
		for (Class<?> parent : type.getInterfaces()) {
			found = (found != null) ? found : find(parent, names);
		}
		return found;
	}

	/* The problem of a result that is evaluated later, and may not need the lock then. */
	@Nullable String warning() {
		return (this.lazy == null) ? null
				: "it returns " + this + ", and what the " + this.lazy.getSimpleName()
						+ " does when it is used is done without the lock, which is released at the return."
						+ " Unless it does not need the lock, return a collection or the value itself";
	}

	/* Reports the first value that leaves work for later. */
	void check(@Nullable Object value) {
		Object part = this.unknown ? value : null;
		for (int depth = 0; part != null && depth < DEPTH; depth++) {
			boolean done = part instanceof Future<?> future && future.isDone();
			String action = done ? null : action(part.getClass());
			if (action != null && this.reported.compareAndSet(false, true)) {
				logger.error(LockConfigurationException.describe(this.method) + " declares " + this
						+ " and has returned a " + part.getClass().getName()
						+ ", whose work runs without the lock, which was released at the return. " + action
						+ ", or acquire the lock with LockService where the work is done");
			}
			part = content(part);
		}
	}

	private static @Nullable Object content(Object container) {
		if (container instanceof Optional<?> optional) {
			return optional.orElse(null);
		}
		Method body = (find(container.getClass(), Set.of("org.springframework.http.HttpEntity")) != null)
				? ReflectionUtils.findMethod(container.getClass(), "getBody") : null;
		return (body != null) ? ReflectionUtils.invokeMethod(body, container) : null;
	}

	/* The type without packages; for a type variable, its bound. */
	@Override
	public String toString() {
		String type = this.declared.toString().replaceAll("[\\w.$]+[.$]", "");
		return type.equals("?") ? this.declared.resolve(Object.class).getSimpleName() : type;
	}

}
