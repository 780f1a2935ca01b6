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

package io.github.watchdoglock.interceptor.declaration;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.contention.ResultType;
import io.github.watchdoglock.interceptor.key.LockExpression;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Translates annotations, and refuses what can't be carried out.
 */
final class LockSpecReader {

	private static final Duration UNSET = Duration.ofMillis(-1);

	private static final Duration MINIMUM = Duration.ofMillis(1);

	/* A century: beyond it arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	private final Function<String, LockDefaults> defaults;

	private final AttributeReader attributes;

	private final LockExpressionParser expressions;

	private final RoleTerms roles;

	LockSpecReader(Function<String, LockDefaults> defaults, AttributeReader attributes,
			LockExpressionParser expressions, RoleTerms roles) {
		this.defaults = defaults;
		this.attributes = attributes;
		this.expressions = expressions;
		this.roles = roles;
	}

	LockedMethod read(List<DistributedLock> locks, List<LeaderOnly> leaders, Method method, Class<?> targetClass) {
		ResultType result = ResultType.of(method, targetClass);
		List<LockSpec> specs = Stream
			.concat(leaders.stream().map((annotation) -> read(annotation, method, result)),
					locks.stream().map((annotation) -> read(annotation, method, targetClass, result)))
			.toList();
		SameKey.check(specs, method);
		return new LockedMethod(method, result, specs, this.roles);
	}

	/* Nobody waits to lead in order to run a method, so the lease is not its own. */
	private LockSpec read(LeaderOnly annotation, Method method, ResultType result) {
		String role = this.attributes.text(method, "value", annotation.value());
		LockKey key;
		try {
			key = LockKey.ofRole(role);
		}
		catch (LockKeyException ex) {
			throw new LockConfigurationException(method, "'value' is '" + role + "': " + ex.getMessage(),
					"Name the role, such as \"reports\".", ex);
		}
		LockDefaults defaults = this.defaults.apply(key.name());
		OnLoss onLoss = (annotation.onLoss() != OnLoss.DEFAULT) ? annotation.onLoss() : defaults.onLoss();
		Contention contention = Contention.skip(method, result, "it is for a leader alone (@LeaderOnly)", "Return ");
		this.roles.stand(role);
		return new LockSpec(key.name(), null, null, (any) -> key, LockKind.EXCLUSIVE, Duration.ZERO,
				Lease.renewed(defaults.leaseTime()), null, null, onLoss, contention);
	}

	private LockSpec read(DistributedLock annotation, Method method, Class<?> targetClass, ResultType result) {
		LockDefaults defaults = defaults(annotation, method);
		return new LockSpec(name(annotation, method), condition(annotation, method, targetClass),
				key(annotation, method, targetClass), defaults.keys(), LockKind.of(annotation, method, defaults),
				waitTime(annotation, method), lease(annotation, method), minHoldTime(annotation, method),
				maxHoldTime(annotation, method), onLoss(annotation, method),
				Contention.of(annotation, method, targetClass, result, defaults.onContention()));
	}

	private String name(DistributedLock annotation, Method method) {
		if (annotation.name().isEmpty()) {
			return ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName();
		}
		String name = this.attributes.text(method, "name", annotation.name());
		if (name.isBlank()) {
			throw new LockConfigurationException(method, "'name' is blank",
					"Give it a fixed name such as \"orders\", or leave it out.");
		}
		return name;
	}

	private LockDefaults defaults(DistributedLock annotation, Method method) {
		return this.defaults.apply(name(annotation, method));
	}

	private @Nullable LockExpression condition(DistributedLock annotation, Method method, Class<?> targetClass) {
		return annotation.condition().isEmpty() ? null
				: this.expressions.condition(annotation.condition(), method, targetClass);
	}

	private @Nullable LockExpression key(DistributedLock annotation, Method method, Class<?> targetClass) {
		return annotation.key().isEmpty() ? null : this.expressions.key(annotation.key(), method, targetClass);
	}

	private Duration waitTime(DistributedLock annotation, Method method) {
		Duration given = this.attributes.duration(method, "waitTime", annotation.waitTime());
		if (given == null) {
			return defaults(annotation, method).waitTime();
		}
		if (given.compareTo(MAXIMUM) > 0) {
			throw new LockConfigurationException(method,
					"'waitTime' is '" + annotation.waitTime() + "', longer than " + MAXIMUM.toDays() + " days",
					"Give a shorter one, or -1 to wait without end.");
		}
		return given;
	}

	private Lease lease(DistributedLock annotation, Method method) {
		Duration given = this.attributes.duration(method, "leaseTime", annotation.leaseTime());
		LockDefaults defaults = defaults(annotation, method);
		Renewal renewal = (annotation.renewal() != Renewal.DEFAULT) ? annotation.renewal() : defaults.renewal();
		try {
			Lease lease = (given == null || given.equals(UNSET))
					? new Lease(defaults.leaseTime(), renewal != Renewal.OFF) : new Lease(given, renewal == Renewal.ON);
			defaults.leaseRule().accept(lease);
			return lease;
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(method,
					"'leaseTime' is '" + annotation.leaseTime() + "'"
							+ ((given != null) ? "" : " and that of the properties counts") + ", which is not allowed: "
							+ ex.getMessage(),
					"Change 'leaseTime', or leave it out to have the lease of watchdog-lock.lease-time, renewed.", ex);
		}
	}

	private @Nullable Duration minHoldTime(DistributedLock annotation, Method method) {
		Duration given = this.attributes.duration(method, "minHoldTime", annotation.minHoldTime());
		if (given != null && (given.isNegative() || given.compareTo(MAXIMUM) > 0)) {
			throw new LockConfigurationException(method, "'minHoldTime' is '" + annotation.minHoldTime()
					+ "', and must be from 0s to " + MAXIMUM.toDays() + " days",
					"Give a duration such as 30s, or leave it out.");
		}
		Duration minimum = (given != null) ? given : defaults(annotation, method).minHoldTime();
		Lease lease = lease(annotation, method);
		if (minimum != null && !lease.renewed() && minimum.compareTo(lease.duration()) > 0) {
			throw new LockConfigurationException(method,
					"'minHoldTime' is '"
							+ ((given != null) ? annotation.minHoldTime() + "'"
									: minimum.toMillis() + " ms' by watchdog-lock.locks")
							+ ", longer than the lease of " + lease.duration().toMillis() + " ms, which is not renewed",
					"Leave 'leaseTime' out, so that the lock is renewed, or make it as long.");
		}
		return minimum;
	}

	private @Nullable Duration maxHoldTime(DistributedLock annotation, Method method) {
		Duration given = this.attributes.duration(method, "maxHoldTime", annotation.maxHoldTime());
		if (given == null) {
			return defaults(annotation, method).maxHoldTime();
		}
		if (given.compareTo(MINIMUM) < 0 || given.compareTo(MAXIMUM) > 0) {
			throw new LockConfigurationException(method,
					"'maxHoldTime' is '" + annotation.maxHoldTime() + "', and must be from 1ms to " + MAXIMUM.toDays()
							+ " days",
					"Give a duration such as 5m, or leave it out to have that of watchdog-lock.max-hold-time.");
		}
		return given;
	}

	private OnLoss onLoss(DistributedLock annotation, Method method) {
		return (annotation.onLoss() != OnLoss.DEFAULT) ? annotation.onLoss() : defaults(annotation, method).onLoss();
	}

}
