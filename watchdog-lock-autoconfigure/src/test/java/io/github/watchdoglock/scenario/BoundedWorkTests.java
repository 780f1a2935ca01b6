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

import java.time.Duration;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a long history leaves nothing behind.
 */
@Tag("slow")
class BoundedWorkTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(6);

	private static final LockRequest REQUEST = LockRequest.of("orders").withLease(Lease.renewed(LEASE));

	@AutoClose
	private final RedisInstance instance = new RedisInstance(redis.port()).connected();

	private final RedisAdmin admin = redis.admin();

	@Test
	void heldLockIsRenewedOncePerPeriodAfterTwentyThousandCycles() throws Exception {
		for (int i = 0; i < 20_000;) {
			try {
				this.instance.engine().acquire(REQUEST).close();
				i++;
			}
			catch (LockStoreException ex) {
				// The machine was too slow for such a short lease.
				this.instance.connected();
			}
		}
		isRenewedOncePerPeriod(this.instance.engine().acquire(REQUEST));
	}

	@Test
	void twoHundredThousandReentriesIncreaseNeitherMemoryNorRenewals() throws Exception {
		// Ten garbage collections may take as long as a short lease
		LockHandle outer = this.instance.engine().acquire(REQUEST.withLease(Lease.renewed(Duration.ofMinutes(1))));
		reenter(20_000);
		long before = usedMemory();
		long scripts = this.admin.scripts();
		reenter(200_000);
		assertThat(usedMemory() - before).as("bytes of memory added by 200,000 re-entries").isLessThan(200_000 * 8);
		assertThat(this.admin.scripts() - scripts).isLessThan(100);
		outer.close();
		LockHandle brief = this.instance.engine().acquire(REQUEST);
		reenter(200_000);
		isRenewedOncePerPeriod(brief);
	}

	private void reenter(int times) throws InterruptedException {
		for (int i = 0; i < times; i++) {
			this.instance.engine().acquire(REQUEST).close();
		}
	}

	/* A lease has three renewal periods, each up to a tenth shorter or longer. */
	private void isRenewedOncePerPeriod(LockHandle handle) {
		await().pollDelay(LEASE.dividedBy(3)).until(() -> true);
		long before = this.admin.scripts();
		await().pollDelay(LEASE).until(() -> true);
		long renewals = this.admin.scripts() - before;
		assertThat(handle.loss()).isEmpty();
		assertThat(renewals).as("renewals in one lease").isBetween(2L, 4L);
		handle.close();
	}

	private static long usedMemory() {
		Runtime runtime = Runtime.getRuntime();
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
		}
		return least;
	}

}
