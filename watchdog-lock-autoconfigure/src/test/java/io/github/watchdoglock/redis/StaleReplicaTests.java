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
import java.util.Objects;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.TokenBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the tokens of a replica that is promoted without the last leases of its
 * primary.
 */
class StaleReplicaTests {

	@RegisterExtension
	static final RedisServerExtension primary = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension replica = new RedisServerExtension();

	private final RedisAdmin admin = replica.admin();

	@ParameterizedTest
	@ValueSource(ints = { 1, 1_024 })
	void promotedReplicaGrantsGreaterTokensThanMissedGrants(int tokens) {
		StoreCommands any = StoreCommands.fresh();
		try (RedisLocks before = new RedisLocks(primary.factory(), RedisServer.settings());
				RedisLocks after = new RedisLocks(replica.factory(), RedisServer.settings())) {
			lock(before.store(), any, tokens);
			RedisRecord known = Objects.requireNonNull(RedisRecord.read(primary.template(), any.record()));
			this.admin.follow(primary.port());
			await().atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(last(replica, any)).isEqualTo(known.last()));
			this.admin.follow(1);
			long missed = 0;
			for (int i = 0; i < 3; i++) {
				missed = lock(before.store(), any, tokens).last();
			}
			assertThat(last(replica, any)).isEqualTo(known.last());
			this.admin.lead();
			assertThat(lock(after.store(), any, tokens).first()).isGreaterThan(missed);
		}
	}

	@Test
	void replicaWithoutAnyGrantContinuesWithGreaterTokens() {
		StoreCommands any = StoreCommands.fresh();
		try (RedisLocks before = new RedisLocks(primary.factory(), RedisServer.settings());
				RedisLocks after = new RedisLocks(replica.factory(), RedisServer.settings())) {
			long missed = 0;
			for (int i = 0; i < 3; i++) {
				missed = lock(before.store(), any, 1).last();
			}
			assertThat(lock(after.store(), any, 1).first()).isGreaterThan(missed);
		}
	}

	/* Another attempt each time, which uses all of its tokens. */
	private static TokenBlock lock(LeaseStore store, StoreCommands any, int tokens) {
		StoreCommands commands = any.rival();
		TokenBlock block = ((Granted) StoreCommands
			.join(store.acquire(new AcquireCommand(commands.key(), commands.attempt(), "holder", StoreCommands.LEASE,
					tokens, false, StoreCommands.POLL, false, commands.timeout()))))
			.block();
		StoreCommands.join(store.release(new ReleaseCommand(commands.key(), commands.attempt(), block.last(),
				Duration.ZERO, null, commands.timeout())));
		return block;
	}

	private static long last(RedisServerExtension server, StoreCommands any) {
		RedisRecord record = RedisRecord.read(server.template(), any.record());
		return (record != null) ? record.last() : 0;
	}

}
