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

package io.github.watchdoglock.snippets;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.test.AutoConfigureTestLocks;
import io.github.watchdoglock.test.TestLocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Exports}.
 */
@SpringBootTest(classes = ExportsTests.Application.class, webEnvironment = WebEnvironment.NONE,
		properties = "watchdog-lock.wait-time=0s")
@AutoConfigureTestLocks
class ExportsTests {

	private static final LockKey EXPORT = LockKey.of("export");

	@Autowired
	private Exports exports;

	@Autowired
	private Shipping shipping;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private TestLocks locks;

	@BeforeEach
	void createTable() {
		this.jdbc.execute("drop table if exists export");
		this.jdbc.execute(
				"create table export (id varchar primary key, token bigint default 0, done boolean default false)");
		this.jdbc.update("insert into export (id) values ('7')");
		this.shipping.work = (id) -> {
		};
	}

	@Test
	void exportRunsUnderPermitAndIsMarkedDone() {
		this.exports.export("7");
		assertThat(isDone()).isTrue();
		assertThat(this.locks.acquired()).containsExactly(EXPORT);
	}

	@Test
	void overtakenExportIsNotMarkedDone() {
		this.shipping.work = (id) -> this.jdbc.update("update export set token = token + 1 where id = ?", id);
		assertThatIllegalStateException().isThrownBy(() -> this.exports.export("7")).withMessageContaining("since");
		assertThat(isDone()).as("export is marked done after it was overtaken").isFalse();
	}

	@Test
	void sixthExportFailsWhileFivePermitsAreHeld() throws InterruptedException {
		CountDownLatch working = new CountDownLatch(5);
		CountDownLatch end = new CountDownLatch(1);
		IntStream.range(10, 15).forEach((id) -> this.jdbc.update("insert into export (id) values (?)", "" + id));
		this.shipping.work = (id) -> {
			working.countDown();
			assertThat(ThrowingSupplier.of(() -> end.await(10, TimeUnit.SECONDS)).get()).isTrue();
		};
		List<CompletableFuture<Void>> five = IntStream.range(10, 15)
			.mapToObj((id) -> CompletableFuture.runAsync(() -> this.exports.export("" + id),
					(task) -> new Thread(task).start()))
			.toList();
		assertThat(working.await(10, TimeUnit.SECONDS)).as("five exports run at the same time within 10 s").isTrue();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.exports.export("7"));
		end.countDown();
		five.forEach(CompletableFuture::join);
		assertThat(this.jdbc.queryForObject("select count(*) from export where done", Integer.class)).isEqualTo(5);
	}

	private boolean isDone() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject("select done from export where id = '7'", Boolean.class));
	}

	/**
	 * Runs the action of a test.
	 */
	static class Shipping {

		volatile Consumer<String> work = Objects::requireNonNull;

	}

	@EnableAutoConfiguration
	static class Application {

		@Bean
		Shipping shipping() {
			return new Shipping();
		}

		@Bean
		Exports exports(LocalLocks locks, JdbcTemplate jdbc, Shipping shipping) {
			return new Exports(locks, jdbc, (id) -> shipping.work.accept(id));
		}

		@Bean(destroyMethod = "shutdown")
		EmbeddedDatabase database() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		JdbcTemplate jdbc(EmbeddedDatabase database) {
			return new JdbcTemplate(database);
		}

	}

}
