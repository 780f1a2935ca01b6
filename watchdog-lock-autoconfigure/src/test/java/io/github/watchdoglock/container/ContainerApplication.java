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

package io.github.watchdoglock.container;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.autoconfigure.WatchdogLockAdviceAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockEndpointAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockRedisAutoConfiguration;
import io.github.watchdoglock.redis.RedisInstance;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application whose Redis is a container bean, found through Spring Boot's connection
 * details.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ AopAutoConfiguration.class, ServiceConnectionAutoConfiguration.class,
		DataRedisAutoConfiguration.class, WatchdogLockRedisAutoConfiguration.class, WatchdogLockAutoConfiguration.class,
		WatchdogLockAdviceAutoConfiguration.class, WatchdogLockEndpointAutoConfiguration.class })
class ContainerApplication {

	/* If the image is not available, the test is aborted here. */
	static ConfigurableApplicationContext run(String image, Class<?>... beans) {
		RedisImages.require(image);
		ConfigurableApplicationContext application = new SpringApplicationBuilder(ContainerApplication.class)
			.sources(beans)
			.web(WebApplicationType.NONE)
			.properties("container.image=" + image, "management.endpoints.web.exposure.include=locks",
					"spring.main.banner-mode=off")
			.run();
		RedisInstance.awaitConnection(application.getBean(LockService.class));
		return application;
	}

	/* The connection details do not depend on the name of the image. */
	@Bean
	@ServiceConnection("redis")
	GenericContainer<?> redis(@Value("${container.image}") String image) {
		return new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(6379);
	}

}
