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
import java.time.Duration;
import java.util.function.Supplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Translates an annotation, and refuses what can't be carried out.
 */
final class LockSpecReader {

	private static final Duration UNSET = Duration.ofMillis(-1);

	/* A century: beyond it arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM_WAIT = Duration.ofDays(36_500);

	private final Supplier<LockDefaults> defaults;

	private final StringValueResolver placeholders;

	private final KeyEvaluation evaluation;

	LockSpecReader(Supplier<LockDefaults> defaults, StringValueResolver placeholders, KeyEvaluation evaluation) {
		this.defaults = SingletonSupplier.of(defaults);
		this.placeholders = placeholders;
		this.evaluation = evaluation;
	}

	LockSpec read(DistributedLock annotation, Method method) {
		if (AsynchronousResults.isReturnedBy(method)) {
			throw new LockDeclarationException(method,
					"it returns " + AsynchronousResults.describe(method)
							+ ", and asynchronous results are not supported yet:"
							+ " the lock would be released before the work is done",
					"Return the result itself, or take the lock with LockService.acquireAsync.");
		}
		return new LockSpec(name(annotation, method), key(annotation, method), waitTime(annotation, method),
				lease(annotation, method), whenSkipped(annotation, method));
	}

	private String name(DistributedLock annotation, Method method) {
		if (annotation.name().isEmpty()) {
			return ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName();
		}
		String name = resolve(method, "name", annotation.name());
		if (name.isBlank()) {
			throw new LockDeclarationException(method, "'name' is blank",
					"Give it a fixed name such as \"orders\", or leave it out.");
		}
		return name;
	}

	private @Nullable KeyExpression key(DistributedLock annotation, Method method) {
		return annotation.key().isEmpty() ? null : this.evaluation.parse(annotation.key(), method);
	}

	private Duration waitTime(DistributedLock annotation, Method method) {
		Duration given = duration(method, "waitTime", annotation.waitTime());
		if (given == null) {
			return this.defaults.get().waitTime();
		}
		if (given.compareTo(MAXIMUM_WAIT) > 0) {
			throw new LockDeclarationException(method,
					"'waitTime' is '" + annotation.waitTime() + "', longer than " + MAXIMUM_WAIT.toDays() + " days",
					"Give a shorter one, or -1 to wait without end.");
		}
		return given;
	}

	private Lease lease(DistributedLock annotation, Method method) {
		Duration given = duration(method, "leaseTime", annotation.leaseTime());
		if (given == null || given.equals(UNSET)) {
			return new Lease(this.defaults.get().leaseTime(), annotation.renewal() != Renewal.OFF);
		}
		try {
			Lease lease = new Lease(given, annotation.renewal() == Renewal.ON);
			this.defaults.get().leaseRule().check(lease);
			return lease;
		}
		catch (IllegalArgumentException ex) {
			throw new LockDeclarationException(method,
					"'leaseTime' is '" + annotation.leaseTime() + "', which is not allowed: " + ex.getMessage(),
					"Change 'leaseTime', or leave it out to have the lease of watchdog-lock.lease-time, renewed.", ex);
		}
	}

	private @Nullable Supplier<@Nullable Object> whenSkipped(DistributedLock annotation, Method method) {
		boolean own = annotation.onContention() != OnContention.DEFAULT;
		OnContention policy = own ? annotation.onContention() : this.defaults.get().onContention();
		if (policy != OnContention.SKIP) {
			return null;
		}
		Class<?> type = method.getReturnType();
		if (type.isPrimitive() && type != void.class) {
			throw new LockDeclarationException(method,
					(own ? "'onContention' is SKIP" : "'onContention' is SKIP by watchdog-lock.on-contention")
							+ ", and it returns the primitive " + type
							+ ": there is nothing to return when it is skipped",
					"Set onContention = OnContention.FAIL, or return "
							+ ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " or an Optional.");
		}
		return EmptyResults.of(type);
	}

	private @Nullable Duration duration(Method method, String attribute, String text) {
		String resolved = resolve(method, attribute, text);
		if (!StringUtils.hasText(resolved)) {
			return null;
		}
		try {
			return DurationFormatterUtils.detectAndParse(resolved.trim());
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new LockDeclarationException(method,
					"'" + attribute + "' is '" + resolved + "', which is no duration",
					"Write a duration such as 500ms, 10s or PT1M.", ex);
		}
	}

	private String resolve(Method method, String attribute, String text) {
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw new LockDeclarationException(method,
					"'" + attribute + "' is '" + text + "', which can't be resolved: " + ex.getMessage(),
					"Set the property, or give the placeholder a default: ${property:default}.", ex);
		}
	}

}
