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

package io.github.watchdoglock.topology.suite;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockRedisAutoConfiguration;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.support.LateAnswers;
import io.github.watchdoglock.support.LockNews;
import io.lettuce.core.protocol.ProtocolVersion;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * An application with locked methods whose properties configure its Redis.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ AopAutoConfiguration.class, SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
		WatchdogLockRedisAutoConfiguration.class, WatchdogLockAutoConfiguration.class,
		WatchdogLockAdviceAutoConfiguration.class })
class SuiteApplication {

	static ConfigurableApplicationContext run(List<String> properties, Driver driver, Class<?>... beans) {
		return new SpringApplicationBuilder(SuiteApplication.class).sources(beans)
			.web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.properties(driver.property(), "topology.driver=" + driver, "spring.main.banner-mode=off")
			.run();
	}

	static ConfigurableApplicationContext connected(List<String> properties, Driver driver, Class<?>... beans) {
		ConfigurableApplicationContext application = run(properties, driver, beans);
		RedisInstance.awaitConnection(application.getBean(LockService.class));
		return application;
	}

	/* The time until another instance has a lock that is released. */
	static Duration handOn(LockService from, LockService to, LockRequest request) {
		LockHandle held = LateAnswers.acquire(from, request).join();
		CompletableFuture<LockHandle> next = LateAnswers.acquire(to, request);
		await().ignoreExceptions().until(() -> from.find(request.key()).orElseThrow().waiting() == 1);
		long before = System.nanoTime();
		held.close();
		next.join().close();
		return Duration.ofNanos(System.nanoTime() - before);
	}

	@Bean
	LockNews news() {
		return new LockNews();
	}

	@Bean
	@ConditionalOnProperty(name = "topology.driver", havingValue = "LETTUCE_RESP2")
	LettuceClientOptionsBuilderCustomizer resp2() {
		return (options) -> options.protocolVersion(ProtocolVersion.RESP2);
	}

	/* A setting for which Spring Boot has no property. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty("topology.socket")
	static class Socket {

		@Bean
		LettuceConnectionFactory redisConnectionFactory(@Value("${topology.socket}") String socket) {
			return new LettuceConnectionFactory(new RedisSocketConfiguration(socket));
		}

	}

}
