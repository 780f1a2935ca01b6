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

package io.github.watchdoglock.test;

import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.autoconfigure.WatchdogLockReactiveAutoConfiguration;
import io.github.watchdoglock.listener.AcquisitionGuard;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureTestLocks} in slices of an application with a fenced
 * lock.
 */
class FencedTestLocksTests {

	private final ApplicationContextRunner slice = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(imported()))
		.withPropertyValues("watchdog-lock.store=local")
		.withBean(Stock.class);

	/* Reactor is absent here, and the runner does not read conditions before classes. */
	private static Class<?>[] imported() {
		return Stream
			.of(Objects.requireNonNull(AutoConfigureTestLocks.class.getAnnotation(ImportAutoConfiguration.class))
				.value())
			.filter((type) -> type != WatchdogLockReactiveAutoConfiguration.class)
			.toArray(Class<?>[]::new);
	}

	@Test
	void sliceWithDatabaseHasFence() {
		this.slice
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
					TransactionManagerCustomizationAutoConfiguration.class))
			.run((context) -> {
				context.getBean(Stock.class).sell();
				assertThat(new JdbcTemplate(context.getBean(DataSource.class))
					.queryForObject("select count(*) from watchdog_lock_fence", Integer.class)).as("raised fences")
					.isOne();
			});
	}

	@Test
	void sliceWithoutDatabaseHasLockWithoutFence() {
		this.slice.run((context) -> {
			assertThat(context).hasSingleBean(AcquisitionGuard.class);
			context.getBean(Stock.class).sell();
			assertThat(context.getBean(TestLocks.class).acquired()).as("acquired locks").hasSize(1);
		});
	}

	static class Stock {

		@DistributedLock(name = "stock", fenced = true)
		@Transactional
		void sell() {
		}

	}

}
