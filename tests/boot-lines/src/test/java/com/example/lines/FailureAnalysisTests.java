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

package com.example.lines;

import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests that errors are reported at startup, together with the action.
 */
@ExtendWith({ RedisServerExtension.class, OutputCaptureExtension.class })
class FailureAnalysisTests {

	@Test
	void tooShortLeaseIsReportedAtStartup(CapturedOutput output) {
		fails("watchdog-lock.lease-time=500ms");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"- watchdog-lock.lease-time is '500ms': it is shorter than watchdog-lock.min-lease-time (1s)",
				"- watchdog-lock.lease-time: set a lease such as 30s, or change the property that limits it");
	}

	@Test
	void keyWithUnknownParameterIsReportedAtStartup(CapturedOutput output) {
		fails("wrong=key");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"WrongKey.buy(String): 'key' is '#item', but the method has no parameter 'item'", "Did you mean #sku?");
	}

	@Test
	void lockOnFinalClassIsReportedAtStartup(CapturedOutput output) {
		fails("wrong=class");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"FinalClass is final, so no proxy can be created that acquires the lock",
				"Remove 'final' from the class");
	}

	@Test
	void missingConnectionFactoryIsReportedAtStartup(CapturedOutput output) {
		fails("wrong=redis",
				"spring.autoconfigure.exclude=org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
						+ "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Locks cannot be stored, because the application has no RedisConnectionFactory bean.",
				"Set watchdog-lock.store=local if there is never more than one instance, as in tests.");
	}

	private static void fails(String... properties) {
		assertThatException().isThrownBy(() -> ShopInstance.start(Application.class, properties).close());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Object wrong(Environment environment) {
			return switch (environment.getProperty("wrong", "")) {
				case "key" -> new WrongKey();
				case "class" -> new FinalClass();
				default -> new RightKey();
			};
		}

	}

	static class RightKey {

		@DistributedLock(name = "article", key = "#sku")
		void buy(String sku) {
		}

	}

	static class WrongKey {

		@DistributedLock(name = "article", key = "#item")
		void buy(String sku) {
		}

	}

	static final class FinalClass {

		@DistributedLock(name = "article", key = "#sku")
		void buy(String sku) {
		}

	}

}
