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
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the entries of a lock that Redis or its other users have changed.
 */
class RedisProtocolTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private final LeaseStore store = server.locks().store();

	private final StringRedisTemplate redis = server.template();

	@Test
	void readersRenewAndReleaseWhenRedisIsOutOfMemory() {
		StoreCommands one = StoreCommands.fresh().as(Kind.READ);
		StoreCommands other = one.rival().as(Kind.READ);
		StoreCommands waiting = one.rival();
		long first = one.firstToken(this.store);
		other.acquire(this.store);
		waiting.acquire(this.store);
		server.admin().withoutMemory(() -> {
			assertThat(one.renew(this.store, first)).isInstanceOf(Renewed.class);
			assertThat(one.release(this.store).ended()).isEqualTo(Ended.LEASE);
			assertThat(other.release(this.store).ended()).isEqualTo(Ended.LEASE);
			assertThat(waiting.release(this.store).ended()).isEqualTo(Ended.RESERVATION);
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 26, 27, 28, 200 })
	void attemptsOfAnyLengthAreRenewed(int length) {
		StoreCommands any = StoreCommands.fresh();
		StoreCommands commands = new StoreCommands(any.key(), new AttemptId("i".repeat(length - 2), 1), any.timeout());
		assertThat(commands.attempt().toString()).hasSize(length);
		assertThat(commands.renew(this.store, commands.firstToken(this.store))).isInstanceOf(Renewed.class);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void rejectedForceSendsNoMessageAndKeepsRecord(boolean shared) {
		StoreCommands held = shared ? StoreCommands.fresh().as(Kind.READ) : StoreCommands.fresh();
		held.acquire(this.store);
		if (shared) {
			held.rival().as(Kind.READ).acquire(this.store);
		}
		String before = this.redis.opsForValue().get(held.record());
		HintRecorder hints = new HintRecorder();
		server.locks().wakeUps().subscribe(held.attempt().instance(), hints);
		server.admin().awaitListener(held.attempt().instance());
		server.admin()
			.refusingWrites(() -> assertThat(StoreCommands.failure(force(held), LockStoreException.class))
				.hasMessageContaining("NOREPLICAS"));
		assertThat(this.redis.opsForValue().get(held.record())).isEqualTo(before);
		assertThat(StoreCommands.join(force(held)).held()).isTrue();
		hints.awaitOnly("forced " + held.attempt() + " " + held.key());
		server.locks().wakeUps().unsubscribe(held.attempt().instance());
	}

	private static CompletionStage<LeaseInspector.ForceAnswer> force(StoreCommands commands) {
		return server.locks().inspector().force(commands.key(), LeaseInspector.ALL, commands.timeout());
	}

	@Test
	void renewAndReleaseWorkWhenRedisIsOutOfMemory() {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		long first = held.firstToken(this.store);
		waiting.acquire(this.store);
		server.admin().withoutMemory(() -> {
			RenewCommand withBlock = new RenewCommand(held.key(), held.attempt(), first, StoreCommands.LEASE, true,
					held.timeout());
			assertThat(((Renewed) StoreCommands.join(this.store.renew(List.of(withBlock)).get(0))).next()).isNotNull();
			assertThat(held.release(this.store).ended()).isEqualTo(Ended.LEASE);
			assertThat(waiting.release(this.store).ended()).isEqualTo(Ended.RESERVATION);
			assertThat(StoreCommands.failure(this.store.acquire(StoreCommands.fresh().acquire()),
					LockStoreException.class))
				.hasMessageContaining("out of memory");
		});
		assertThat(held.acquire(this.store)).isInstanceOf(Granted.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "other", "2 o", "2 o- x", "2 o- 0000000120000 x y z", "orders" })
	void foreignValueIsReportedAsErrorAndLeftUnchanged(String value) {
		StoreCommands commands = StoreCommands.fresh();
		this.redis.opsForValue().set(commands.record(), value, Duration.ofSeconds(20));
		assertThat(StoreCommands.failure(this.store.acquire(commands.acquire()), LockStoreException.class))
			.hasMessageContaining("no lock, delete it")
			.hasMessageNotContaining(commands.record())
			.rootCause()
			.hasMessageNotContaining(commands.record());
		assertThat(commands.renew(this.store, 1)).isInstanceOf(Gone.class);
		assertThat(commands.release(this.store).ended()).isEqualTo(Ended.NOTHING);
		assertThat(this.redis.opsForValue().get(commands.record())).isEqualTo(value);
		this.redis.delete(commands.record());
		assertThat(commands.acquire(this.store)).isInstanceOf(Granted.class);
	}

	@Test
	void acquireFailsWhenTokensReachLargestExactNumber() {
		StoreCommands commands = StoreCommands.fresh();
		this.redis.opsForValue().set(commands.record(), "3 x+ 0000000060000 9007199254740991 ", Duration.ofSeconds(20));
		assertThat(StoreCommands.failure(this.store.acquire(commands.acquire()), LockStoreException.class))
			.hasMessageContaining("no tokens left, delete it");
	}

	@Test
	void keyOfWrongTypeFailsOnlyItsOwnRenewal() {
		List<StoreCommands> hundred = new ArrayList<>();
		List<RenewCommand> renewals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			StoreCommands commands = StoreCommands.fresh();
			hundred.add(commands);
			renewals.add(commands.renew(commands.firstToken(this.store)));
		}
		this.redis.delete(hundred.get(42).record());
		this.redis.opsForList().rightPush(hundred.get(42).record(), "other");
		List<CompletionStage<RenewAnswer>> answers = this.store.renew(renewals);
		for (int i = 0; i < 100; i++) {
			if (i != 42) {
				assertThat(StoreCommands.join(answers.get(i))).isInstanceOf(Renewed.class);
			}
		}
		LockStoreException failure = StoreCommands.failure(answers.get(42), LockStoreException.class);
		assertThat(failure).hasMessageContaining("WRONGTYPE").hasMessageContaining("key prefix");
		this.redis.delete(hundred.get(42).record());
	}

}
