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

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.watchdoglock.interceptor.LockDefaults;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

/**
 * What counts where annotations are silent, by the lock's name. Warns of properties for
 * names that no annotated lock has, once all beans are there. Thread-safe.
 */
final class AnnotatedLockDefaults implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(AnnotatedLockDefaults.class);

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final Supplier<WatchdogLockProperties> properties;

	private final boolean complete;

	/* Complete, if all beans are there when singletons are. */
	AnnotatedLockDefaults(Supplier<WatchdogLockProperties> properties, boolean complete) {
		this.properties = SingletonSupplier.of(properties);
		this.complete = complete;
	}

	LockDefaults of(String name) {
		this.names.add(name);
		WatchdogLockProperties all = this.properties.get();
		LockDefaults defaults = new LockDefaults(all.leaseTime(), all.waitTime(), all.maxHoldTime(), all.onContention(),
				all.onLoss(), all.leaseLimits()::check);
		NamedLockProperties named = all.locks().get(name);
		return (named != null) ? named.over(defaults) : defaults;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> unknown = new TreeSet<>(this.properties.get().locks().keySet());
		unknown.removeAll(this.names);
		if (this.complete && !unknown.isEmpty()) {
			logger.warn("No annotated lock has the name of "
					+ unknown.stream().map((name) -> "watchdog-lock." + NamedLockProperties.property(name)).toList()
					+ ": correct the name, unless it is that of a lock in code. Annotated are "
					+ new TreeSet<>(this.names));
		}
	}

}
