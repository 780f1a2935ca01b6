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

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * An annotated method whose Redis is not to be had: the application starts, each call
 * ends in one clear error, none runs the method, none hangs.
 */
class UnreachableRedisTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	/* Of the default lease. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	@Test
	void whereNothingListensTheErrorSaysSo() throws Exception {
		int port;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		try (ConfigurableApplicationContext application = application("spring.data.redis.port=" + port)) {
			Work work = application.getBean(Work.class);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(work::run)
				.withMessageContaining("Lock 'work' was not acquired: Not connected to Redis")
				.withMessageContaining("refused");
			assertThat(work.ran()).isFalse();
		}
	}

	@Test
	void tenCallersOfAnAddressThatSwallowsEverythingAreToldInTime() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				ConfigurableApplicationContext application = application(
						"spring.data.redis.port=" + silent.getLocalPort())) {
			Work work = application.getBean(Work.class);
			long start = System.nanoTime();
			List<CompletableFuture<Void>> callers = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				CompletableFuture<Void> caller = new CompletableFuture<>();
				new Thread(() -> caller.completeAsync(() -> {
					work.run();
					return null;
				}, Runnable::run)).start();
				callers.add(caller);
			}
			for (CompletableFuture<Void> caller : callers) {
				assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> caller.get(20, TimeUnit.SECONDS))
					.withCauseInstanceOf(LockStoreException.class);
			}
			// All of them together, and as much again for the machine.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(COMMAND_TIMEOUT.multipliedBy(2));
			assertThat(work.ran()).isFalse();
		}
	}

	@Test
	void aWrongPasswordIsNamed() {
		new RedisAdmin(redis.factory()).command("ACL", "SETUSER", "alice", "on", ">right", "+@all", "~*", "&*");
		try (ConfigurableApplicationContext application = application("spring.data.redis.port=" + redis.port(),
				"spring.data.redis.username=alice", "spring.data.redis.password=wrong")) {
			Work work = application.getBean(Work.class);
			await().untilAsserted(() -> assertThatExceptionOfType(LockStoreException.class).isThrownBy(work::run)
				.withMessageContaining("WRONGPASS")
				.withMessageContaining("check user name and password"));
			assertThat(work.ran()).isFalse();
		}
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return SmallApplication.run(List.of(Work.class), properties);
	}

	static class Work {

		private volatile boolean ran;

		/* By a method, since the proxy has fields of its own. */
		boolean ran() {
			return this.ran;
		}

		@DistributedLock("work")
		void run() {
			this.ran = true;
		}

	}

}
