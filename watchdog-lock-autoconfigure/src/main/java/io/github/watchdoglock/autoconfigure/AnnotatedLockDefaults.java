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

package io.github.watchdoglock.autoconfigure;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.interceptor.declaration.LockDefaults;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

/**
 * The values of attributes that an annotation does not set, by the name of the lock. Once
 * all beans exist, it warns about properties for names that no annotated lock has.
 * Thread-safe.
 */
final class AnnotatedLockDefaults implements SmartInitializingSingleton, AopInfrastructureBean {

	private static final Log logger = LogFactory.getLog(AnnotatedLockDefaults.class);

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final Supplier<WatchdogLockProperties> properties;

	AnnotatedLockDefaults(Supplier<WatchdogLockProperties> properties) {
		this.properties = SingletonSupplier.of(properties);
	}

	LockDefaults of(String name) {
		this.names.add(name);
		WatchdogLockProperties all = this.properties.get();
		NamedLockProperties named = all.lock(name);
		LockRelease release = (all.release() == LockRelease.AT_RETURN) ? LockRelease.AT_RETURN : LockRelease.DEFAULT;
		// The engine applies the maximum hold time of the instance, to first acquisitions
		// only.
		return new LockDefaults(Objects.requireNonNullElse(named.leaseTime(), all.leaseTime()),
				Objects.requireNonNullElse(named.renewal(), Renewal.DEFAULT),
				Objects.requireNonNullElse(named.waitTime(), all.waitTime()), named.minHoldTime(), named.maxHoldTime(),
				Objects.requireNonNullElse(named.permits(), 0),
				Objects.requireNonNullElse(named.onContention(), all.onContention()),
				Objects.requireNonNullElse(named.onLoss(), all.onLoss()), all.leaseLimits()::check,
				all.keyRules()::admit, Objects.requireNonNullElse(named.fenced(), all.fenced()),
				Objects.requireNonNullElse(named.release(), release));
	}

	/* Lock names of the annotations that were seen, and of properties. */
	Set<String> names() {
		Set<String> all = annotated();
		all.addAll(this.properties.get().locks().keySet());
		return all;
	}

	/* Whether a locked method was found. */
	boolean isAsked() {
		return !this.names.isEmpty();
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> unknown = new TreeSet<>(this.properties.get().locks().keySet());
		unknown.removeAll(annotated());
		// Names that resemble none are probably those of locks in code.
		for (String name : unknown) {
			String suggestion = Spelling.suggest(name, annotated());
			if (!suggestion.isEmpty()) {
				logger.warn("No annotated lock has the name in watchdog-lock." + NamedLockProperties.property(name)
						+ "." + suggestion + " Correct the name, unless the lock is requested in code or in a bean that"
						+ " is created later. The annotated names are " + annotated()
						+ ", and names are case-sensitive");
			}
		}
	}

	/*
	 * Methods with @LeaderOnly ask for defaults, too, with a name that no user's lock
	 * has.
	 */
	private Set<String> annotated() {
		Set<String> annotated = new TreeSet<>(this.names);
		annotated.remove(LockKey.ofRole("any").name());
		return annotated;
	}

}
