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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisLeaseStore}.
 */
class RedisLeaseStoreTests extends RedisContract {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	@Test
	void commandOfIoThreadIsSentAfterEarlierCommandOfOtherThread() {
		LeaseStore store = server.locks().store();
		StoreCommands holder = StoreCommands.fresh();
		holder.acquire(store);
		server.admin().pause(Duration.ofMillis(100));
		CompletionStage<AcquireAnswer> next = store.acquire(StoreCommands.fresh().acquire()).thenCompose((answer) -> {
			assertThat(Thread.currentThread().getName()).startsWith("lettuce");
			// This thread cannot have sent the command before the callback ends.
			CompletableFuture.runAsync(() -> store.release(holder.release()), (task) -> new Thread(task).start())
				.join();
			return store.acquire(holder.rival().acquire());
		});
		assertThat(next.toCompletableFuture().join()).isInstanceOf(AcquireAnswer.Granted.class);
	}

	@Test
	void thousandRejectedRenewalsAreSentAsTenCommands() {
		LeaseStore store = server.locks().store();
		List<RenewCommand> renewals = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			StoreCommands held = StoreCommands.fresh(Duration.ofSeconds(5));
			renewals.add(held.renew(held.firstToken(store)));
		}
		RedisAdmin admin = server.admin();
		long before = admin.scripts();
		admin.refusingWrites(() -> assertThat(store.renew(renewals)).hasSize(1_000)
			.allSatisfy((answer) -> assertThat(StoreCommands.failure(answer, LockStoreException.class))
				.hasMessageContaining("NOREPLICAS")));
		assertThat(admin.scripts() - before).isEqualTo(10);
		assertThat(store.renew(renewals))
			.allSatisfy((answer) -> assertThat(StoreCommands.join(answer)).isInstanceOf(RenewAnswer.Renewed.class));
	}

	@Override
	protected RedisLocks locks() {
		return server.locks();
	}

	@Override
	protected StringRedisTemplate redis() {
		return server.template();
	}

}
