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

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.StringUtils;

/**
 * Finds the connection factory that locks use: the one that is named, else the only or
 * the primary one.
 */
final class ConnectionFactoryChoice {

	private static final String PROPERTY = "watchdog-lock.connection-factory";

	private ConnectionFactoryChoice() {
	}

	static RedisConnectionFactory choose(ListableBeanFactory beans, @Nullable String name) {
		if (StringUtils.hasText(name)) {
			return named(beans, name);
		}
		RedisConnectionFactory unique = beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
		if (unique == null) {
			throw new LockConfigurationException(
					"There are several RedisConnectionFactory beans, and none of them is primary: " + names(beans)
							+ ". All locks must be kept in the same Redis.",
					"Set " + PROPERTY + " to the name of the one to keep locks in, or mark it as @Primary.");
		}
		return unique;
	}

	private static RedisConnectionFactory named(ListableBeanFactory beans, String name) {
		if (!beans.containsBean(name) || !beans.isTypeMatch(name, RedisConnectionFactory.class)) {
			throw new LockConfigurationException(PROPERTY + " is '" + name
					+ "', and no RedisConnectionFactory bean has that name. There is: " + names(beans),
					"Set " + PROPERTY + " to the name of one of these beans.");
		}
		return beans.getBean(name, RedisConnectionFactory.class);
	}

	private static String names(ListableBeanFactory beans) {
		return String.join(", ",
				BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class, true, false));
	}

}
