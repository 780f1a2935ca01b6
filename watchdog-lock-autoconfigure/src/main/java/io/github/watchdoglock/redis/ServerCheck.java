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

package io.github.watchdoglock.redis;

import java.util.Properties;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Looks at a server at first contact and warns of what makes locks unsafe there.
 */
final class ServerCheck {

	/* The oldest version that the scripts were run on. */
	private static final int MAJOR = 6;

	private static final int MINOR = 2;

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	/* On the connector's thread only. */
	private boolean done;

	/* May block; a server that refuses INFO is left unchecked. */
	void run(RedisConnection connection) {
		if (this.done) {
			return;
		}
		this.done = true;
		try {
			Properties server = connection.serverCommands().info("server");
			Properties memory = connection.serverCommands().info("memory");
			checkVersion(value(server, "redis_version"));
			checkEviction(value(memory, "maxmemory"), value(memory, "maxmemory_policy"));
		}
		catch (RuntimeException ex) {
			logger.debug("The server was not checked", ex);
		}
	}

	private static void checkVersion(@Nullable String version) {
		String[] numbers = (version != null) ? version.split("\\.") : new String[0];
		if (numbers.length > 1) {
			int major = Integer.parseInt(numbers[0]);
			if (major < MAJOR || (major == MAJOR && Integer.parseInt(numbers[1]) < MINOR)) {
				logger.warn("Redis " + version + " is older than " + MAJOR + "." + MINOR
						+ ", and locks may fail there: upgrade the server");
			}
		}
	}

	private static void checkEviction(@Nullable String limit, @Nullable String policy) {
		if (policy != null && limit != null && !limit.equals("0") && !policy.equals("noeviction")) {
			logger.warn("Redis evicts keys when its memory is full (maxmemory-policy " + policy
					+ "), and a lock that is evicted is lost: set noeviction, or give locks a Redis of their own");
		}
	}

	/* In a cluster the names start with the node. */
	private static @Nullable String value(@Nullable Properties properties, String name) {
		if (properties == null) {
			return null;
		}
		return properties.stringPropertyNames()
			.stream()
			.filter((key) -> key.equals(name) || key.endsWith("." + name))
			.findFirst()
			.map(properties::getProperty)
			.orElse(null);
	}

}
