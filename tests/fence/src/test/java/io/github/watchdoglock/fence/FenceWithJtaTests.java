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

package io.github.watchdoglock.fence;

import jakarta.transaction.TransactionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.mock;

/**
 * An application with fenced methods and transactions of JTA.
 */
@ExtendWith(OutputCaptureExtension.class)
class FenceWithJtaTests {

	@Test
	void jtaIsRejectedAtStartupUnlessItIsTrusted(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start("watchdog-lock.fence.trusted=false"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("A lock is fenced, and the application has a JtaTransactionManager, whose transactions begin"
					+ " without a connection.")
			.contains("set watchdog-lock.fence.trusted=true.");
		start("watchdog-lock.fence.trusted=true");
	}

	private static void start(String property) {
		new SpringApplicationBuilder(TestInstance.Application.class, Jta.class).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "spring.datasource.generate-unique-name=true", property)
			.run()
			.close();
	}

	@Configuration(proxyBeanMethods = false)
	static class Jta {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new JtaTransactionManager(mock(TransactionManager.class));
		}

	}

}
