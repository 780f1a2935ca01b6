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

import java.util.List;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.DistributedLocks;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.annotation.LockedJob;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * The hints that a native image needs: scripts that are read by name, annotations whose
 * attributes are read by reflection, and the field that reveals how the application
 * connects to Redis.
 */
class WatchdogLockRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/watchdoglock/redis/*.lua");
		hints.resources().registerPattern("io/github/watchdoglock/fence/*.sql");
		for (Class<?> annotation : List.of(DistributedLock.class, DistributedLocks.class, LeaderOnly.class,
				LockedJob.class)) {
			hints.reflection().registerType(annotation, MemberCategory.INVOKE_PUBLIC_METHODS);
			hints.proxies().registerJdkProxy(annotation);
		}
		// Its method converts the string of a role that has no properties.
		hints.reflection().registerType(LeaderProperties.class, MemberCategory.INVOKE_DECLARED_METHODS);
		hints.reflection()
			.registerTypeIfPresent(classLoader,
					"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
					(type) -> type.onReachableType(TypeReference.of("io.github.watchdoglock.redis.LettuceDerivation"))
						.withField("configuration"));
	}

}
