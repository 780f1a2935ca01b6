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

package io.github.watchdoglock.benchmarks.calls;

import java.util.concurrent.Callable;
import java.util.function.Function;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.benchmarks.lock.Application;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * An application with an annotated method, meters, and its locks in Redis.
 */
public final class AnnotatedMethods implements Function<String, Callable<Integer>> {

	private final Orders orders;

	/**
	 * Start the application.
	 * @param port the port of Redis
	 */
	public AnnotatedMethods(Integer port) {
		ClassLoader loader = AnnotatedMethods.class.getClassLoader();
		Thread.currentThread().setContextClassLoader(loader);
		this.orders = Application.with(Shop.class)
			.resourceLoader(new DefaultResourceLoader(loader))
			.properties("spring.data.redis.port=" + port)
			.run()
			.getBean(Orders.class);
	}

	@Override
	public Callable<Integer> apply(String id) {
		return () -> this.orders.pay(id);
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

	}

	/**
	 * A bean with a locked method.
	 */
	static class Orders {

		@DistributedLock(name = "calls", key = "#id")
		int pay(String id) {
			return id.length();
		}

	}

}
