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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.contention.ResultType;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Translates all annotations of a method, and rejects combinations that are not valid.
 */
final class LockedMethodReader {

	private static final Log logger = LogFactory.getLog(LockedMethodReader.class);

	/* Annotations, and their attribute for the propagation. */
	private static final Map<String, String> TRANSACTIONAL = Map.of(
			"org.springframework.transaction.annotation.Transactional", "propagation",
			"jakarta.transaction.Transactional", "value");

	private static final Set<String> LEAVING = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

	private final Function<String, LockDefaults> defaults;

	private final StringValueResolver placeholders;

	private final LockExpressionParser expressions;

	private final RoleTerms roles;

	private final DerivedNames names = new DerivedNames();

	/** Proxies have the same method in several types. */
	private final Set<Method> warned = ConcurrentHashMap.newKeySet();

	LockedMethodReader(Function<String, LockDefaults> defaults, StringValueResolver placeholders,
			LockExpressionParser expressions, RoleTerms roles) {
		this.defaults = defaults;
		this.placeholders = placeholders;
		this.expressions = expressions;
		this.roles = roles;
	}

	LockedMethod read(List<DeclaredAnnotation> all, Method method, Class<?> targetClass) {
		ResultType result = read(all.get(0), () -> ResultType.of(method, targetClass));
		List<LockSpec> specs = all.stream()
			.map((declared) -> read(declared,
					() -> (declared.annotation() instanceof LeaderOnly leader) ? readLeader(declared, leader, result)
							: new LockSpecReader(declared, new AttributeReader(declared, this.placeholders), this.names,
									this.defaults, this.expressions, targetClass, result)
								.read()))
			.toList();
		SameKey.check(specs, all.get(0));
		String warning = result.warning();
		if (warning != null && this.warned.add(method)) {
			logger.warn(all.get(0).message(warning));
		}
		return new LockedMethod(method, result, specs, this.roles, leavesTransaction(method, targetClass));
	}

	/* Messages name the annotation in the source code. */
	private static <T> T read(DeclaredAnnotation annotation, Supplier<T> reader) {
		try {
			return reader.get();
		}
		catch (LockConfigurationException ex) {
			throw annotation.named(ex);
		}
	}

	/* The wait time and lease are not used: a call never waits for the leadership. */
	private LockSpec readLeader(DeclaredAnnotation declared, LeaderOnly annotation, ResultType result) {
		String role = new AttributeReader(declared, this.placeholders).text("value", annotation.value());
		LockKey key;
		try {
			key = LockKey.ofRole(role);
		}
		catch (LockKeyException ex) {
			throw declared.problem(declared.quoted("value") + " is '" + role + "': " + ex.getMessage(),
					"Give the role a name such as \"reports\".", ex);
		}
		LockDefaults defaults = this.defaults.apply(key.name());
		OnLoss onLoss = (annotation.onLoss() != OnLoss.DEFAULT) ? annotation.onLoss() : defaults.onLoss();
		Contention contention = Contention.skip(declared.method(), result,
				"it skips the method unless this instance leads", "Return ");
		this.roles.becomeCandidate(role, null);
		return new LockSpec(key.name(), null, null, (any) -> key, LockKind.EXCLUSIVE, Duration.ZERO,
				Lease.renewed(defaults.leaseTime()), null, null, onLoss, contention, false, LockRelease.AT_RETURN);
	}

	/* Compares names, because both annotations may be absent from the class path. */
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
