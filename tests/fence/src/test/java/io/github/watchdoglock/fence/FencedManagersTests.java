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

import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the managers of fenced transactions.
 */
@ExtendWith(OutputCaptureExtension.class)
class FencedManagersTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("watchdog-lock.store=local", "watchdog-lock.fence.initialize-schema=always",
				"spring.data.jpa.repositories.enabled=false");

	@Test
	void databaseWithoutTransactionManagerIsRejected() {
		this.runner.withPropertyValues("watchdog-lock.fence.data-source=target")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContaining("no transaction manager bean of JDBC, JPA or Hibernate uses the DataSource"));
	}

	@Test
	void fencedMethodRunsWithLazyManagerWithoutEarlyBeans(CapturedOutput output) {
		this.runner
			.withPropertyValues("watchdog-lock.fence.data-source=routing", "watchdog-lock.fence.trusted=true",
					"spring.main.lazy-initialization=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean(Work.class).run();
			});
		assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class Application {

		@Bean
		DataSource target() {
			return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;USER=sa");
		}

		@Bean
		DataSource routing(DataSource target) {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "one";
				}

			};
			routing.setTargetDataSources(Map.of("one", target));
			return routing;
		}

		@Bean
		@Lazy
		PlatformTransactionManager manager(DataSource routing) {
			return new JdbcTransactionManager(routing);
		}

		@Bean
		Work work() {
			return new Work();
		}

	}

	static class Work {

		@DistributedLock(name = "stock", fenced = true)
		@Transactional
		void run() {
		}

	}

}
