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
import java.util.Set;
import java.util.stream.Stream;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.redis.RedisLocks;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The connection factory whose configuration locks use: the application's, or the Lettuce
 * factory that Boot would have created from the same settings.
 *
 * @param factory the factory
 * @param created the beans that Boot would have created; null if the application's
 * factory is used
 */
record LockConnections(RedisConnectionFactory factory,
		@Nullable DefaultListableBeanFactory created) implements AutoCloseable {

	private static final String CLIENT_TYPE = "spring.data.redis.client-type";

	/* The packages of Boot 4 and of Boot 3.5. */
	private static final List<String> PACKAGES = List.of("org.springframework.boot.data.redis.autoconfigure.",
			"org.springframework.boot.autoconfigure.data.redis.");

	private static final String BY_LETTUCE = "LettuceConnectionConfiguration";

	/* Each of these properties sets the address of Redis. */
	private static final List<String> PLACES = List.of("url", "host", "sentinel.nodes", "sentinel.nodes[0]",
			"cluster.nodes", "cluster.nodes[0]", "masterreplica.nodes", "masterreplica.nodes[0]");

	/* Descriptions of factories that do not reveal the address of their Redis. */
	private static final Set<String> UNKNOWN = Set.of("Redis", "Redis by TLS");

	private static final String HELP = "Set spring.data.redis.host and port (or url, sentinel or cluster) to the Redis"
			+ " that the application uses, set " + CLIENT_TYPE + " to lettuce, or declare a LettuceConnectionFactory"
			+ " (no subclass of it) and set watchdog-lock.connection-factory to its bean name.";

	static LockConnections of(ConfigurableListableBeanFactory beans, RedisConnectionFactory application,
			Environment environment) {
		ClassLoader loader = beans.getBeanClassLoader();
		if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", loader)) {
			throw new LockConfigurationException("Locks open connections with Lettuce, which is not on the class path.",
					"Add the dependency io.lettuce:lettuce-core. The application keeps its own client if " + CLIENT_TYPE
							+ " is jedis.");
		}
		Object target = AopProxyUtils.getSingletonTarget(application);
		RedisConnectionFactory used = (target instanceof RedisConnectionFactory proxied) ? proxied : application;
		if (!RedisLocks.isReadable(used)) {
			return create(beans, used, environment);
		}
		if (ClassUtils.isPresent("redis.clients.jedis.Jedis", loader)
				&& !StringUtils.hasText(environment.getProperty(CLIENT_TYPE)) && isCreatedByBoot(beans, application)) {
			throw new LockConfigurationException(
					"Jedis and Lettuce are on the class path, and Spring Boot chose Lettuce for the application:"
							+ " the starter for locks added it.",
					"Set " + CLIENT_TYPE + " to jedis or lettuce. Locks work with both.");
		}
		return new LockConnections(used, null);
	}

	private static boolean isCreatedByBoot(ConfigurableListableBeanFactory beans, RedisConnectionFactory application) {
		return Stream.of(beans.getBeanNamesForType(RedisConnectionFactory.class, true, false))
			.filter((name) -> beans.containsBeanDefinition(name) && beans.getSingleton(name) == application)
			.map((name) -> String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName()))
			.anyMatch((name) -> name.endsWith("." + BY_LETTUCE));
	}

	private static LockConnections create(ConfigurableListableBeanFactory beans, RedisConnectionFactory application,
			Environment environment) {
		String type = ClassUtils.getShortName(application.getClass());
		String place = RedisLocks.describe(application);
		boolean known = !UNKNOWN.contains(place);
		if (!known && !isPlaceSet(beans, environment)) {
			throw new LockConfigurationException("Locks open connections with Lettuce, but neither the " + type
					+ " of the application nor spring.data.redis has the address of Redis.", HELP);
		}
		DefaultListableBeanFactory created = new DefaultListableBeanFactory(beans);
		try {
			RedisConnectionFactory factory = create(created, beans);
			ensureUsable(factory, type, known ? place : null);
			return new LockConnections(factory, created);
		}
		catch (LockConfigurationException | BeansException ex) {
			created.destroySingletons();
			if (ex instanceof LockConfigurationException) {
				throw ex;
			}
			LockConfigurationException failure = new LockConfigurationException(
					"Locks open connections with Lettuce, and Spring Boot could not create these for the " + type
							+ " of the application: " + ex.getMessage(),
					HELP);
			failure.initCause(ex);
			throw failure;
		}
	}

	private static void ensureUsable(RedisConnectionFactory factory, String type, @Nullable String place) {
		if (!RedisLocks.isReadable(factory)) {
			throw new LockConfigurationException(
					"Locks cannot identify the primary in spring.data.redis.masterreplica.nodes.",
					"Use sentinels or a cluster, or declare a LettuceConnectionFactory for the primary, and set"
							+ " watchdog-lock.connection-factory to its bean name.");
		}
		String found = RedisLocks.describe(factory);
		if (place != null && !place.equals(found)) {
			throw new LockConfigurationException("Locks open connections with Lettuce, and the " + type
					+ " of the application uses " + place + ", but spring.data.redis names " + found + ".", HELP);
		}
	}

	private static boolean isPlaceSet(ConfigurableListableBeanFactory beans, Environment environment) {
		return PLACES.stream().anyMatch((place) -> environment.containsProperty("spring.data.redis." + place))
				|| PACKAGES.stream()
					.flatMap((name) -> Stream.of(name + "DataRedisConnectionDetails", name + "RedisConnectionDetails"))
					.filter((name) -> ClassUtils.isPresent(name, beans.getBeanClassLoader()))
					.map((name) -> beans.getBeanProvider(ClassUtils.resolveClassName(name, beans.getBeanClassLoader()))
						.getIfUnique())
					.anyMatch((details) -> details != null
							&& !details.getClass().getSimpleName().startsWith("Properties"));
	}

	/*
	 * Uses Boot's own methods and the application's beans, so that all settings apply:
	 * connection details, SSL bundles, customizers. Conditions are not evaluated, because
	 * the application has a connection factory.
	 */
	private static RedisConnectionFactory create(DefaultListableBeanFactory created,
			ConfigurableListableBeanFactory beans) {
		created.setBeanClassLoader(beans.getBeanClassLoader());
		if (beans instanceof DefaultListableBeanFactory application) {
			created.setAutowireCandidateResolver(application.getAutowireCandidateResolver().cloneIfNecessary());
			created.setDependencyComparator(application.getDependencyComparator());
		}
		String configuration = PACKAGES.stream()
			.map((name) -> name + BY_LETTUCE)
			.filter((name) -> ClassUtils.isPresent(name, beans.getBeanClassLoader()))
			.findFirst()
			.orElseThrow(() -> new LockConfigurationException(
					"Locks open connections with Lettuce, and Spring Boot's support for Redis is not on the"
							+ " class path.",
					HELP));
		RootBeanDefinition definition = new RootBeanDefinition(configuration);
		definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		created.registerBeanDefinition(configuration, definition);
		if (beans.getBeanProvider(ClientResources.class).getIfAvailable() == null) {
			created.registerBeanDefinition("lettuceClientResources",
					method(configuration, "lettuceClientResources", "shutdown"));
		}
		created.registerBeanDefinition("redisConnectionFactory",
				method(configuration, "redisConnectionFactory", "destroy"));
		return created.getBean("redisConnectionFactory", RedisConnectionFactory.class);
	}

	private static BeanDefinition method(String configuration, String name, String destroyMethod) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setFactoryBeanName(configuration);
		definition.setFactoryMethodName(name);
		definition.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		definition.setDestroyMethodName(destroyMethod);
		return definition;
	}

	@Override
	public void close() {
		if (this.created != null) {
			this.created.destroySingletons();
		}
	}

}
