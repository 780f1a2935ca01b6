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

import javax.sql.DataSource;

import jakarta.transaction.TransactionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.mock;

/**
 * Tests for an application with fenced methods and JTA transactions.
 */
@ExtendWith(OutputCaptureExtension.class)
class FenceWithJtaTests {

	@Test
	void jtaManagerIsRejectedAtStartupUnlessTrusted(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(JtaAndJdbc.class, "watchdog-lock.fence.trusted=false"));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"A lock is fenced, and the application has a JtaTransactionManager, whose transactions are never"
						+ " fenced.",
				"if no fenced method relies on these transactions, set watchdog-lock.fence.trusted=true.");
		start(JtaAndJdbc.class, "watchdog-lock.fence.trusted=true");
	}

	@Test
	void jtaAsOnlyManagerIsRejectedEvenIfTrusted(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Jta.class, "watchdog-lock.fence.trusted=true"));
		assertThat(output).contains("APPLICATION FAILED TO START",
				"A lock is fenced, and no transaction manager bean of JDBC, JPA or Hibernate uses the DataSource"
						+ " that has the table: no transaction would be fenced.");
	}

	private static void start(Class<?> managers, String property) {
		new SpringApplicationBuilder(TestInstance.Application.class, managers).web(WebApplicationType.NONE)
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

	@Configuration(proxyBeanMethods = false)
	static class JtaAndJdbc extends Jta {

		@Bean
		@Primary
		PlatformTransactionManager jdbcTransactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
