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

package io.github.watchdoglock.scenario;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for locks that are acquired and released while their caller collects commands to
 * Redis in a transaction or pipeline: the locks work as outside, and their commands are
 * not collected.
 */
class CallersTransactionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockRequest REQUEST = LockRequest.of("orders");

	@AutoClose
	private final RedisInstance other = new RedisInstance(redis.port()).connected();

	private final LettuceConnectionFactory factory = RedisServer.factory(redis.port());

	@AutoClose
	private final RedisInstance application = new RedisInstance(this.factory).connected();

	private final StringRedisTemplate template = new StringRedisTemplate(this.factory);

	@Test
	void lockInsideMultiExcludesOtherInstanceAtOnce() {
		List<Object> results = this.template.execute(new SessionCallback<>() {

			@Override
			@SuppressWarnings({ "unchecked", "rawtypes" })
			public List<Object> execute(RedisOperations operations) throws DataAccessException {
				operations.multi();
				operations.opsForValue().set("first", "1");
				excludes();
				operations.opsForValue().set("second", "2");
				return operations.exec();
			}

		});
		assertThat(results).as("results of the caller's own two commands").hasSize(2);
		assertThat(redis.template().opsForValue().get("second")).isEqualTo("2");
	}

	@Test
	void lockInsidePipelineExcludesOtherInstanceAtOnce() {
		List<Object> results = this.template.executePipelined((RedisCallback<Object>) (connection) -> {
			connection.stringCommands()
				.set("first".getBytes(StandardCharsets.UTF_8), "1".getBytes(StandardCharsets.UTF_8));
			excludes();
			return null;
		});
		assertThat(results).as("results of the caller's own command (also line 112)").hasSize(1);
	}

	@Test
	void lockInsidePipelinedSessionExcludesOtherInstanceAtOnce() {
		List<Object> results = this.template.executePipelined(new SessionCallback<Object>() {

			@Override
			@SuppressWarnings({ "unchecked", "rawtypes" })
			public Object execute(RedisOperations operations) throws DataAccessException {
				operations.opsForValue().set("first", "1");
				excludes();
				return null;
			}

		});
		assertThat(results).hasSize(1);
	}

	@Test
	void lockInsideRedisTransactionExcludesAtOnceAndSurvivesRollback() {
		this.template.setEnableTransactionSupport(true);
		LockHandle kept = new TransactionTemplate(new NoResources()).execute((status) -> {
			this.template.opsForValue().set("rolled-back", "1");
			excludes();
			status.setRollbackOnly();
			return this.application.engine().acquireAsync(REQUEST).join();
		});
		assertThat(this.template.opsForValue().get("rolled-back")).isNull();
		assertThat(kept.isHeld()).isTrue();
		assertThat(tryElsewhere()).isEmpty();
		kept.close();
		tryElsewhere().orElseThrow().close();
	}

	/* The lock is acquired and released before the caller's commands are sent. */
	private void excludes() {
		try (LockHandle handle = ThrowingSupplier.of(() -> this.application.engine().acquire(REQUEST)).get()) {
			assertThat(handle.isHeld()).isTrue();
			assertThat(tryElsewhere()).isEmpty();
		}
		tryElsewhere().orElseThrow().close();
	}

	private Optional<LockHandle> tryElsewhere() {
		return ThrowingSupplier.of(() -> this.other.engine().tryAcquire(REQUEST.withWaitTime(Duration.ZERO))).get();
	}

	/* Transactions in which templates participate, without other resources. */
	private static final class NoResources extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
