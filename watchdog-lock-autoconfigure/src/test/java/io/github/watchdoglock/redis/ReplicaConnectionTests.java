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

import java.util.Set;

import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for connections that lead to a replica.
 */
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class ReplicaConnectionTests {

	private static final String NEEDED = "+@all ~* &* -role -info";

	@RegisterExtension
	static final RedisServerExtension primary = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension replica = new RedisServerExtension();

	private final RedisAdmin admin = replica.admin();

	@AfterEach
	void reset() {
		this.admin.lead();
		this.admin.set("replica-read-only", "yes");
		this.admin.set("replica-serve-stale-data", "yes");
	}

	@Test
	void writableReplicaIsRejectedUntilPromoted() {
		this.admin.set("replica-read-only", "no");
		refusedWhileReplica(replica.factory(), "this Redis is a replica");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " +role", " +info" })
	void replicaIsRejectedRegardlessOfRolePermissions(String rights) {
		refusedWhileReplica(replica.user("somebody", NEEDED + rights), "READONLY");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " +role", " +info" })
	void replicaWithoutStaleReadsIsRejectedRegardlessOfPermissions(String rights) {
		this.admin.set("replica-serve-stale-data", "no");
		refusedWhileReplica(replica.user("somebody", NEEDED + rights), "this Redis is a replica");
	}

	private void refusedWhileReplica(LettuceConnectionFactory factory, String words) {
		this.admin.follow(1);
		try (RedisLocks locks = new RedisLocks(factory, RedisServer.settings())) {
			for (int i = 0; i < 3; i++) {
				assertThat(StoreCommands.refusal(locks)).hasMessageContainingAll(words, "no connection to");
			}
			this.admin.lead();
			awaitGrant(locks);
		}
	}

	@Test
	void roleIsCheckedAgainAfterReconnect() {
		this.admin.set("replica-read-only", "no");
		this.admin.follow(1);
		try (FaultProxy proxy = FaultProxy.to(primary.port());
				RedisLocks locks = locks(RedisServer.factory(proxy.port()))) {
			String instance = StoreCommands.fresh().attempt().instance();
			locks.wakeUps().subscribe(instance, new HintRecorder());
			awaitGrant(locks);
			primary.admin().awaitListener(instance);
			Set<String> before = this.admin.keys();
			proxy.lead(replica.port());
			proxy.cut();
			await().untilAsserted(
					() -> assertThat(StoreCommands.refusal(locks)).hasMessageContaining("this Redis is a replica"));
			assertThat(this.admin.keys()).isEqualTo(before);
			this.admin.lead();
			awaitGrant(locks);
			replica.admin().awaitListener(instance);
		}
	}

	@Test
	void connectionLeavesPrimaryThatBecameReplica() {
		try (FaultProxy proxy = FaultProxy.to(replica.port());
				RedisLocks locks = locks(RedisServer.factory(proxy.port()))) {
			String instance = StoreCommands.fresh().attempt().instance();
			locks.wakeUps().subscribe(instance, new HintRecorder());
			awaitGrant(locks);
			replica.admin().awaitListener(instance);
			this.admin.follow(1);
			proxy.lead(primary.port());
			assertThat(StoreCommands.refusal(locks)).hasMessageContaining("READONLY");
			awaitGrant(locks);
			primary.admin().awaitListener(instance);
		}
	}

	@Test
	void renewalsLeaveDemotedPrimaryThatServesNoData() {
		this.admin.set("replica-serve-stale-data", "no");
		try (FaultProxy proxy = FaultProxy.to(replica.port());
				RedisLocks locks = locks(RedisServer.factory(proxy.port()))) {
			awaitGrant(locks);
			StoreCommands held = StoreCommands.fresh();
			long token = held.firstToken(locks.store());
			this.admin.follow(1);
			proxy.lead(primary.port());
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(held.renew(locks.store(), token)).isInstanceOf(Gone.class));
		}
	}

	@Test
	void lostPrimaryIsReplacedWhenApplicationReadsFromReplica() {
		LettuceConnectionFactory factory = readingElsewhere();
		try (FaultProxy gone = FaultProxy.to(primary.port())) {
			this.admin.follow(gone.port());
			try (RedisLocks locks = locks(factory)) {
				awaitGrant(locks);
				gone.close();
				this.admin.lead();
				awaitGrant(locks);
			}
		}
		finally {
			factory.destroy();
		}
	}

	private static void awaitGrant(RedisLocks locks) {
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(StoreCommands.fresh().acquire(locks.store())).isInstanceOf(Granted.class));
	}

	private static RedisLocks locks(RedisConnectionFactory factory) {
		RedisLocks locks = new RedisLocks(factory, RedisServer.settings());
		locks.connect();
		return locks;
	}

	private static LettuceConnectionFactory readingElsewhere() {
		return RedisServer
			.initialized(new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", replica.port()),
					LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA_PREFERRED).build()));
	}

}
