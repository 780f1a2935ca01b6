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

import java.util.List;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for an annotated method whose Redis is unreachable: the application starts, each
 * call fails with one clear error, no call runs the method, and none hangs.
 */
@Tag("slow")
class UnreachableRedisTests {

	@Test
	void callFailsWithCauseAndSkipsMethodWhenRedisIsUnreachable() {
		try (ConfigurableApplicationContext application = SmallApplication.run(List.of(Work.class),
				"spring.data.redis.port=" + RedisServer.freePort())) {
			Work work = application.getBean(Work.class);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(work::run)
				.withMessageContainingAll("Lock 'work' was not acquired: no connection to Redis", "refused");
			assertThat(work.ran()).as("method ran without its lock").isFalse();
		}
	}

	static class Work {

		private volatile boolean ran;

		/* A method, because the proxy has fields of its own. */
		boolean ran() {
			return this.ran;
		}

		@DistributedLock("work")
		void run() {
			this.ran = true;
		}

	}

}
