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

import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisConfiguration.ClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.SentinelConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithDatabaseIndex;
import org.springframework.data.redis.connection.RedisConfiguration.WithDomainSocket;
import org.springframework.data.redis.connection.RedisConfiguration.WithHostAndPort;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A readable description of the address that a connection factory connects to, without
 * user names and passwords.
 */
final class RedisAddress {

	private RedisAddress() {
	}

	private static @Nullable Object configuration(RedisConnectionFactory factory) {
		DirectFieldAccessor fields = new DirectFieldAccessor(factory);
		// Jedis keeps the configuration of a single Redis in a separate field.
		return Stream.of("configuration", "standaloneConfig")
			.filter(fields::isReadableProperty)
			.map(fields::getPropertyValue)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/* False if the factory does not reveal it. */
	static boolean isOfSentinels(RedisConnectionFactory factory) {
		return configuration(factory) instanceof SentinelConfiguration;
	}

	/*
	 * Does not connect. Returns only "Redis" if the factory does not reveal the address.
	 */
	static String describe(RedisConnectionFactory factory) {
		Object configuration = configuration(factory);
		return describe(configuration) + database(configuration) + (isByTls(factory) ? " by TLS" : "");
	}

	/*
	 * The factories of both drivers have this property, but no common type declares it.
	 */
	private static boolean isByTls(RedisConnectionFactory factory) {
		BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(factory);
		return properties.isReadableProperty("useSsl") && Boolean.TRUE.equals(properties.getPropertyValue("useSsl"));
	}

	/* Two databases of one server keep separate locks. */
	private static String database(@Nullable Object configuration) {
		int database = (configuration instanceof WithDatabaseIndex indexed) ? indexed.getDatabase() : 0;
		return (database != 0) ? ", database " + database : "";
	}

	private static String describe(@Nullable Object configuration) {
		if (configuration instanceof ClusterConfiguration cluster) {
			return "a Redis cluster at " + cluster.getClusterNodes();
		}
		if (configuration instanceof SentinelConfiguration sentinel) {
			NamedNode master = sentinel.getMaster();
			return "the Redis '" + ((master != null) ? master.getName() : "") + "' of the sentinels at "
					+ sentinel.getSentinels();
		}
		if (configuration instanceof WithDomainSocket socket) {
			return "Redis at " + socket.getSocket();
		}
		return (configuration instanceof WithHostAndPort single)
				? "Redis at " + single.getHostName() + ":" + single.getPort() : "Redis";
	}

}
