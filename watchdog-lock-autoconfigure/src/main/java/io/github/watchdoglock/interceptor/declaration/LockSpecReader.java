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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.OnContention;
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

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Translates annotations, and refuses what can't be carried out.
 */
final class LockSpecReader {

	private static final Duration UNSET = Duration.ofMillis(-1);

	private static final Duration MINIMUM = Duration.ofMillis(1);

	/* A century: beyond it arithmetic on nanoseconds would overflow. */
	private static final Duration MAXIMUM = Duration.ofDays(36_500);

	/* Annotations, and the attribute that has the propagation. */
	private static final Map<String, String> TRANSACTIONAL = Map.of(
			"org.springframework.transaction.annotation.Transactional", "propagation",
			"jakarta.transaction.Transactional", "value");

	private static final Set<String> LEAVING = Set.of("REQUIRES_NEW", "NOT_SUPPORTED");

	private final Function<String, LockDefaults> defaults;

	private final AttributeReader attributes;

	private final LockExpressionParser expressions;

	private final RoleTerms roles;

	private final Runnable whenFenced;

	LockSpecReader(Function<String, LockDefaults> defaults, AttributeReader attributes,
			LockExpressionParser expressions, RoleTerms roles, Runnable whenFenced) {
		this.defaults = defaults;
		this.attributes = attributes;
		this.expressions = expressions;
		this.roles = roles;
		this.whenFenced = whenFenced;
	}

	LockedMethod read(List<DeclaredAnnotation<DistributedLock>> locks, List<DeclaredAnnotation<LeaderOnly>> leaders,
			Method method, Class<?> targetClass) {
		List<DeclaredAnnotation<?>> all = Stream.<DeclaredAnnotation<?>>concat(leaders.stream(), locks.stream())
			.toList();
		ResultType result = read(all.get(0), method, () -> ResultType.of(method, targetClass));
		List<LockSpec> specs = Stream
			.concat(leaders.stream().map((leader) -> read(leader, method, () -> readLeader(leader, method, result))),
					locks.stream().map((lock) -> read(lock, method, () -> readLock(lock, method, targetClass, result))))
			.toList();
		read(all.get(0), method, () -> {
			SameKey.check(specs, method);
			return specs;
		});
		return new LockedMethod(method, result, specs, this.roles,
				specs.stream().anyMatch(LockSpec::fenced) ? leavesTransaction(method, targetClass) : null);
	}

	/* What is wrong is said of the annotation in the source code. */
	private static <T> T read(DeclaredAnnotation<?> annotation, Method method, Supplier<T> reader) {
		try {
			return reader.get();
		}
		catch (LockConfigurationException ex) {
			throw annotation.named(ex, method);
		}
	}

	/* Nobody waits to lead in order to run a method, so the lease is not its own. */
	private LockSpec readLeader(DeclaredAnnotation<LeaderOnly> declared, Method method, ResultType result) {
		LeaderOnly annotation = declared.annotation();
		String role = this.attributes.text(declared, method, "value", annotation.value());
		LockKey key;
		try {
			key = LockKey.ofRole(role);
		}
		catch (LockKeyException ex) {
			throw new LockConfigurationException(method,
					declared.quoted("value") + " is '" + role + "': " + ex.getMessage(),
					"Name the role, such as \"reports\".", ex);
		}
		LockDefaults defaults = this.defaults.apply(key.name());
		OnLoss onLoss = (annotation.onLoss() != OnLoss.DEFAULT) ? annotation.onLoss() : defaults.onLoss();
		Contention contention = Contention.skip(method, result, "it skips the method unless this instance leads",
				"Return ");
		this.roles.stand(role);
		return new LockSpec(key.name(), null, null, (any) -> key, LockKind.EXCLUSIVE, Duration.ZERO,
				Lease.renewed(defaults.leaseTime()), null, null, onLoss, contention, false);
	}

	private LockSpec readLock(DeclaredAnnotation<DistributedLock> annotation, Method method, Class<?> targetClass,
			ResultType result) {
		LockDefaults defaults = defaults(annotation, method);
		String name = name(annotation, method);
		return new LockSpec(name, condition(annotation, method, targetClass), key(annotation, method, targetClass),
				defaults.keys(), LockKind.of(annotation, method, defaults), waitTime(annotation, method),
				lease(annotation, method), minHoldTime(annotation, method), maxHoldTime(annotation, method),
				onLoss(annotation.annotation(), defaults),
				contention(annotation, method, targetClass, result, defaults.onContention()),
				fenced(annotation, method, name, result, defaults));
	}

	private String name(DeclaredAnnotation<DistributedLock> annotation, Method method) {
		String given = annotation.annotation().name();
		String name = given.isEmpty()
				? ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName()
				: this.attributes.text(annotation, method, "name", given);
		if (name.isBlank()) {
			throw new LockConfigurationException(method, annotation.quoted("name") + " is blank",
					"Give it a fixed name such as \"orders\", or leave it out.");
		}
		if (!given.isEmpty() && name.contains("#")) {
			throw new LockConfigurationException(method,
					annotation.quoted("name") + " is '" + name + "', but names are not evaluated",
					nameAdvice(annotation, name));
		}
		try {
			return LockKey.of(name).name();
		}
		catch (LockKeyException ex) {
			throw new LockConfigurationException(method, String.valueOf(ex.getMessage()), "Use a shorter name.", ex);
		}
	}

	private static String nameAdvice(DeclaredAnnotation<DistributedLock> annotation, String name) {
		if (!annotation.has("key")) {
			return "Use a name without '#'.";
		}
		String key = annotation.name("key");
		return name.startsWith("#") ? "Use " + key + " = \"" + name + "\"."
				: "Use a name without '#', and '" + key + "' for the part that comes from arguments.";
	}

	private LockDefaults defaults(DeclaredAnnotation<DistributedLock> annotation, Method method) {
		return this.defaults.apply(name(annotation, method));
	}

	private @Nullable LockExpression condition(DeclaredAnnotation<DistributedLock> annotation, Method method,
			Class<?> targetClass) {
		String condition = annotation.annotation().condition();
		return condition.isEmpty() ? null
				: this.expressions.condition(annotation.quoted("condition"), condition, method, targetClass);
	}

	private @Nullable LockExpression key(DeclaredAnnotation<DistributedLock> annotation, Method method,
			Class<?> targetClass) {
		String key = annotation.annotation().key();
		return key.isEmpty() ? null : this.expressions.key(annotation.quoted("key"), key, method, targetClass);
	}

	private Duration waitTime(DeclaredAnnotation<DistributedLock> declared, Method method) {
		DistributedLock annotation = declared.annotation();
		Duration given = this.attributes.duration(declared, method, "waitTime", annotation.waitTime());
		if (given == null) {
			return defaults(declared, method).waitTime();
		}
		if (given.compareTo(MAXIMUM) > 0) {
			throw new LockConfigurationException(method, declared.quoted("waitTime") + " is '" + annotation.waitTime()
					+ "', longer than " + MAXIMUM.toDays() + " days",
					"Give a shorter one, or -1 to wait indefinitely.");
		}
		return given;
	}

	private Lease lease(DeclaredAnnotation<DistributedLock> declared, Method method) {
		DistributedLock annotation = declared.annotation();
		Duration given = this.attributes.duration(declared, method, "leaseTime", annotation.leaseTime());
		LockDefaults defaults = defaults(declared, method);
		Renewal renewal = (annotation.renewal() != Renewal.DEFAULT) ? annotation.renewal() : defaults.renewal();
		try {
			Lease lease = (given == null || given.equals(UNSET))
					? new Lease(defaults.leaseTime(), renewal != Renewal.OFF) : new Lease(given, renewal == Renewal.ON);
			defaults.leaseRule().accept(lease);
			return lease;
		}
		catch (IllegalArgumentException ex) {
			throw new LockConfigurationException(method,
					((given != null) ? declared.quoted("leaseTime") + " is '" + annotation.leaseTime() + "', which"
							: "the lease of watchdog-lock.lease-time or watchdog-lock.locks.<name>.lease-time")
							+ " is not allowed: " + ex.getMessage(),
					"Change " + declared.quoted("leaseTime")
							+ ", or leave it out to have the lease of watchdog-lock.lease-time, renewed.",
					ex);
		}
	}

	private @Nullable Duration minHoldTime(DeclaredAnnotation<DistributedLock> declared, Method method) {
		DistributedLock annotation = declared.annotation();
		Duration given = this.attributes.duration(declared, method, "minHoldTime", annotation.minHoldTime());
		if (given != null && (given.isNegative() || given.compareTo(MAXIMUM) > 0)) {
			throw new LockConfigurationException(
					method, declared.quoted("minHoldTime") + " is '" + annotation.minHoldTime()
							+ "', and must be from 0s to " + MAXIMUM.toDays() + " days",
					"Give a duration such as 30s, or leave it out.");
		}
		Duration minimum = (given != null) ? given : defaults(declared, method).minHoldTime();
		Lease lease = lease(declared, method);
		if (minimum != null && !lease.renewed() && minimum.compareTo(lease.duration()) > 0) {
			throw new LockConfigurationException(method,
					declared.quoted("minHoldTime") + " is '"
							+ ((given != null) ? annotation.minHoldTime() + "'"
									: minimum.toMillis() + " ms' by watchdog-lock.locks")
							+ ", longer than the lease of " + lease.duration().toMillis() + " ms, which is not renewed",
					"Leave " + declared.quoted("leaseTime") + " out, so that the lock is renewed, or make it as long.");
		}
		return minimum;
	}

	private @Nullable Duration maxHoldTime(DeclaredAnnotation<DistributedLock> declared, Method method) {
		DistributedLock annotation = declared.annotation();
		Duration given = this.attributes.duration(declared, method, "maxHoldTime", annotation.maxHoldTime());
		if (given == null) {
			return defaults(declared, method).maxHoldTime();
		}
		if (given.compareTo(MINIMUM) < 0 || given.compareTo(MAXIMUM) > 0) {
			throw new LockConfigurationException(method,
					declared.quoted("maxHoldTime") + " is '" + annotation.maxHoldTime() + "', and must be from 1ms to "
							+ MAXIMUM.toDays() + " days",
					"Give a duration such as 5m, or leave it out to have that of watchdog-lock.max-hold-time.");
		}
		return given;
	}

	private static OnLoss onLoss(DistributedLock annotation, LockDefaults defaults) {
		return (annotation.onLoss() != OnLoss.DEFAULT) ? annotation.onLoss() : defaults.onLoss();
	}

	private static Contention contention(DeclaredAnnotation<DistributedLock> declared, Method method,
			Class<?> targetClass, ResultType result, OnContention byDefault) {
		DistributedLock annotation = declared.annotation();
		OnContention own = annotation.onContention();
		String attribute = declared.quoted("onContention");
		if (!annotation.fallback().isEmpty()) {
			if (own == OnContention.SKIP) {
				throw new LockConfigurationException(method, "it has a " + declared.quoted("fallback") + ", and "
						+ attribute + " is SKIP: either the one is called or nothing is", "Leave one of them out.");
			}
			return Contention.fallback(declared.quoted("fallback"), annotation.fallback(), method, targetClass);
		}
		if (((own != OnContention.DEFAULT) ? own : byDefault) != OnContention.SKIP) {
			return Contention.FAIL;
		}
		boolean settable = declared.has("onContention");
		String why = settable ? attribute + " is SKIP" : "it skips the method if the lock cannot be acquired";
		return Contention.skip(method, result,
				(own != OnContention.DEFAULT) ? why
						: "watchdog-lock.on-contention or watchdog-lock.locks.<name>.on-contention is SKIP",
				settable ? "Set " + declared.name("onContention") + " = OnContention.FAIL, or return " : "Return ");
	}

	private boolean fenced(DeclaredAnnotation<DistributedLock> declared, Method method, String name, ResultType result,
			LockDefaults defaults) {
		boolean annotated = declared.annotation().fenced();
		if (!annotated && !defaults.fenced()) {
			return false;
		}
		LockKind kind = LockKind.of(declared, method, defaults);
		String problem = null;
		if (kind.permits() > 1) {
			problem = "it has permits: only one holder at a time can be fenced";
		}
		else if (kind.mode() == LockMode.READ) {
			problem = declared.quoted("mode") + " is READ: only one holder at a time can be fenced";
		}
		else if (result.kind() != ResultType.Kind.PLAIN) {
			problem = "its result is completed later: only transactions of the thread that calls the method are fenced";
		}
		if (problem != null) {
			throw new LockConfigurationException(method,
					(annotated ? declared.quoted("fenced") + " is true" : "it is fenced by the properties") + ", and "
							+ problem,
					annotated ? "Remove 'fenced': only exclusive locks of blocking methods can be fenced."
							: "Set watchdog-lock.locks." + name + ".fenced=false for this lock.");
		}
		this.whenFenced.run();
		return true;
	}

	/* By name: the application may have neither of the two. */
	private static @Nullable Boolean leavesTransaction(Method method, Class<?> targetClass) {
		for (AnnotatedElement element : List.of(ClassUtils.getMostSpecificMethod(method, targetClass), targetClass)) {
			MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
			for (Map.Entry<String, String> transactional : TRANSACTIONAL.entrySet()) {
				MergedAnnotation<?> annotation = annotations.get(transactional.getKey());
				if (annotation.isPresent()) {
					return annotation.getValue(transactional.getValue())
						.map(Object::toString)
						.filter(LEAVING::contains)
						.isPresent();
				}
			}
		}
		return null;
	}

}
