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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.RenewCommand;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * What Redis and its other users may do to the entries of a lock.
 */
@SuppressWarnings("NullAway.Init")
class RedisProtocolTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static RedisLocks locks;

	private static LeaseStore store;

	private static StringRedisTemplate redis;

	@BeforeAll
	static void connect() {
		locks = new RedisLocks(server.factory(), RedisLockSettings.defaults());
		store = locks.store();
		redis = server.template();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
	}

	@Test
	void recordIsReadable() {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		long first = held.firstToken(store);
		waiting.acquire(store);
		assertThat(redis.opsForValue().get(held.record())).matches("2 o\\+ 0000000120000 " + first + " " + first + " "
				+ held.attempt() + " holder\n\\d{13} 0000000001000 " + waiting.attempt());
		assertThat(redis.getExpire(held.record())).isBetween(140L, 150L);
	}

	@Test
	void recordOfSeveralIsReadable() {
		StoreCommands one = StoreCommands.fresh().as(Kind.READ);
		StoreCommands other = one.rival().as(Kind.READ);
		long first = one.firstToken(store);
		long last = other.firstToken(store);
		assertThat(redis.opsForValue().get(one.record()))
			.matches("2 o- 0000000120000 " + last + " " + first + " / \\(shared\\)\t" + one.attempt() + " o \\d{13} "
					+ first + " holder\t" + other.attempt() + " o \\d{13} " + last + " holder");
	}

	@Test
	void severalAreRenewedAndReleasedWhenRedisIsOutOfMemory() {
		StoreCommands one = StoreCommands.fresh().as(Kind.READ);
		StoreCommands other = one.rival().as(Kind.READ);
		StoreCommands waiting = one.rival();
		long first = one.firstToken(store);
		other.acquire(store);
		waiting.acquire(store);
		config("maxmemory", "1");
		try {
			assertThat(one.renew(store, first)).isInstanceOf(Renewed.class);
			assertThat(one.release(store).ended()).isEqualTo(Ended.LEASE);
			assertThat(other.release(store).ended()).isEqualTo(Ended.LEASE);
			assertThat(waiting.release(store).ended()).isEqualTo(Ended.RESERVATION);
		}
		finally {
			config("maxmemory", "0");
		}
	}

	@Test
	void recordOutlivesItsLeaseByTwoLeasesAtLeast() {
		StoreCommands commands = StoreCommands.fresh();
		StoreCommands.join(store.acquire(new AcquireCommand(commands.key(), commands.attempt(), "holder",
				Duration.ofMinutes(10), StoreCommands.POLL, commands.timeout())));
		assertThat(redis.getExpire(commands.record())).isBetween(1790L, 1800L);
		commands.release(store);
		assertThat(redis.getExpire(commands.record())).isBetween(590L, 600L);
	}

	@Test
	void restIsCountedWithTheRetentionOfTheRecord() {
		StoreCommands held = StoreCommands.fresh();
		long first = held.firstToken(store);
		RedisLockSettings settings = new RedisLockSettings("watchdog-lock", "brief", Duration.ofSeconds(1), true,
				Duration.ofSeconds(1), true);
		try (RedisLocks brief = new RedisLocks(server.factory(), settings)) {
			assertThat(((Busy) held.rival().acquire(brief.store())).remaining())
				.isBetween(StoreCommands.LEASE.minusSeconds(5), StoreCommands.LEASE);
			held.renew(brief.store(), first);
			assertThat(((Busy) held.rival().acquire(store)).remaining()).isBetween(StoreCommands.LEASE.minusSeconds(5),
					StoreCommands.LEASE);
		}
	}

	@Test
	void clockThatIsSetBackGivesAReleasedKeyToNobody() {
		StoreCommands commands = StoreCommands.fresh();
		commands.acquire(store);
		commands.release(store);
		// As if it had been set back by half a minute
		redis.expire(commands.record(), Duration.ofSeconds(90));
		assertThat(commands.rival().acquire(store)).isInstanceOf(Granted.class);
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 26, 27, 28, 200 })
	void attemptsOfAnyLengthAreRenewed(int length) {
		StoreCommands any = StoreCommands.fresh();
		StoreCommands commands = new StoreCommands(any.key(), new AttemptId("i".repeat(length - 2), 1), any.timeout());
		assertThat(commands.attempt().toString()).hasSize(length);
		assertThat(commands.renew(store, commands.firstToken(store))).isInstanceOf(Renewed.class);
	}

	@Test
	void renewalsThatCantBeReadFailEachByItselfAndThoseThatCantBeWrittenTogether() {
		StoreCommands list = StoreCommands.fresh();
		StoreCommands held = StoreCommands.fresh();
		String owner = held.firstToken(store) + " " + held.attempt() + " ";
		redis.opsForList().leftPush(list.record(), "no lock");
		assertThat(renew(List.of(list, held), owner)).hasSize(2)
			.first(InstanceOfAssertFactories.BYTE_ARRAY)
			.asString()
			.isEqualTo("er");
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("CONFIG", "SET", "min-replicas-to-write", "1");
		try {
			assertThatThrownBy(() -> renew(List.of(list, held), owner)).rootCause().hasMessageContaining("NOREPLICAS");
		}
		finally {
			admin.command("CONFIG", "SET", "min-replicas-to-write", "0");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void noMessageIsSentIfTheServerRefusesAForce(boolean shared) {
		StoreCommands held = shared ? StoreCommands.fresh().as(Kind.READ) : StoreCommands.fresh();
		held.acquire(store);
		if (shared) {
			held.rival().as(Kind.READ).acquire(store);
		}
		String before = redis.opsForValue().get(held.record());
		HintRecorder hints = new HintRecorder();
		locks.wakeUps().subscribe(held.attempt().instance(), hints);
		RedisAdmin admin = new RedisAdmin(server.factory());
		admin.command("CONFIG", "SET", "min-replicas-to-write", "1");
		try {
			assertThat(StoreCommands.failure(force(held), LockStoreException.class)).hasMessageContaining("NOREPLICAS");
		}
		finally {
			admin.command("CONFIG", "SET", "min-replicas-to-write", "0");
		}
		assertThat(redis.opsForValue().get(held.record())).isEqualTo(before);
		assertThat(StoreCommands.join(force(held)).held()).isTrue();
		hints.awaitOnly("forced " + held.attempt() + " " + held.key());
		locks.wakeUps().unsubscribe(held.attempt().instance());
	}

	private static CompletionStage<LeaseInspector.ForceAnswer> force(StoreCommands commands) {
		return locks.inspector().force(commands.key(), LeaseInspector.ALL, commands.timeout());
	}

	private static List<?> renew(List<StoreCommands> all, String owner) {
		byte[][] words = Stream.concat(all.stream().map(StoreCommands::record), Stream.of("30000", "0", owner, owner))
			.map((word) -> word.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		return Objects
			.requireNonNull(redis.execute((RedisCallback<List<?>>) (connection) -> connection.scriptingCommands()
				.eval(LockScript.RENEW.text(), ReturnType.MULTI, all.size(), words)));
	}

	@Test
	void recordWithoutEndIsHeldAndARenewalEndsIt() {
		StoreCommands held = StoreCommands.fresh();
		long first = held.firstToken(store);
		redis.persist(held.record());
		StoreCommands waiting = held.rival();
		assertThat(((Busy) waiting.acquire(store)).remaining()).isGreaterThan(Duration.ofDays(365));
		assertThat(held.renew(store, first)).isInstanceOf(Renewed.class);
		assertThat(redis.getExpire(held.record())).isBetween(140L, 150L);
		redis.persist(held.record());
		waiting.release(store);
		assertThat(held.release(store).ended()).isEqualTo(Ended.LEASE);
		assertThat(held.rival().acquire(store)).isInstanceOf(Granted.class);
	}

	@Test
	void renewAndReleaseWorkWhenRedisIsOutOfMemory() {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		long first = held.firstToken(store);
		waiting.acquire(store);
		config("maxmemory", "1");
		try {
			RenewCommand withBlock = new RenewCommand(held.key(), held.attempt(), first, StoreCommands.LEASE, true,
					held.timeout());
			assertThat(((Renewed) StoreCommands.join(store.renew(List.of(withBlock)).get(0))).next()).isNotNull();
			assertThat(held.release(store).ended()).isEqualTo(Ended.LEASE);
			assertThat(waiting.release(store).ended()).isEqualTo(Ended.RESERVATION);
			LockStoreException failure = StoreCommands.failure(store.acquire(StoreCommands.fresh().acquire()),
					LockStoreException.class);
			assertThat(failure).hasMessageContaining("'acquire' of lock 'fault:").hasMessageContaining("out of memory");
		}
		finally {
			config("maxmemory", "0");
		}
		assertThat(held.acquire(store)).isInstanceOf(Granted.class);
	}

	@Test
	void flushedScriptsAreUnnoticed() {
		StoreCommands commands = StoreCommands.fresh();
		flushScripts();
		long first = commands.firstToken(store);
		flushScripts();
		assertThat(commands.renew(store, first)).isInstanceOf(Renewed.class);
		flushScripts();
		assertThat(commands.release(store).ended()).isEqualTo(Ended.LEASE);
	}

	@Test
	void keyOfAnotherTypeCostsOtherRenewalsNothing() {
		List<StoreCommands> hundred = new ArrayList<>();
		List<RenewCommand> renewals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			StoreCommands commands = StoreCommands.fresh();
			hundred.add(commands);
			renewals.add(commands.renew(commands.firstToken(store)));
		}
		redis.delete(hundred.get(42).record());
		redis.opsForList().rightPush(hundred.get(42).record(), "other");
		List<CompletionStage<RenewAnswer>> answers = store.renew(renewals);
		for (int i = 0; i < 100; i++) {
			if (i != 42) {
				assertThat(StoreCommands.join(answers.get(i))).isInstanceOf(Renewed.class);
			}
		}
		LockStoreException failure = StoreCommands.failure(answers.get(42), LockStoreException.class);
		assertThat(failure).hasMessageContaining("WRONGTYPE").hasMessageContaining("key prefix");
		redis.delete(hundred.get(42).record());
	}

	@Test
	void moreRenewalsThanABatchAreAllAnswered() {
		List<RenewCommand> renewals = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			StoreCommands commands = StoreCommands.fresh();
			renewals.add(commands.renew(commands.firstToken(store)));
		}
		assertThat(store.renew(renewals)).hasSize(250)
			.allSatisfy((answer) -> assertThat(StoreCommands.join(answer)).isInstanceOf(Renewed.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "other", "2 o", "2 o- x", "2 o- 0000000120000 x y z", "orders" })
	void valueThatIsNoRecordIsAnErrorOfItsKey(String value) {
		StoreCommands commands = StoreCommands.fresh();
		redis.opsForValue().set(commands.record(), value, Duration.ofSeconds(20));
		assertThat(StoreCommands.failure(store.acquire(commands.acquire()), LockStoreException.class))
			.hasMessageContaining("no lock, delete it")
			.hasMessageNotContaining(commands.record())
			.rootCause()
			.hasMessageNotContaining(commands.record());
		assertThat(commands.renew(store, 1)).isInstanceOf(Gone.class);
		assertThat(commands.release(store).ended()).isEqualTo(Ended.NOTHING);
		assertThat(redis.opsForValue().get(commands.record())).isEqualTo(value);
		redis.delete(commands.record());
		assertThat(commands.acquire(store)).isInstanceOf(Granted.class);
	}

	@Test
	void deadPlacesAreDroppedWhenSomebodyEnters() {
		StoreCommands held = StoreCommands.fresh();
		held.acquire(store);
		for (int i = 0; i < 50; i++) {
			StoreCommands dead = held.rival();
			StoreCommands.join(store.acquire(new AcquireCommand(dead.key(), dead.attempt(), "dead", StoreCommands.LEASE,
					Duration.ofMillis((i % 10 == 0) ? 60_000 : 1), dead.timeout())));
		}
		await().pollDelay(Duration.ofMillis(20)).until(() -> true);
		StoreCommands entering = held.rival();
		entering.acquire(store);
		assertThat(places(held)).isEqualTo(6);
		// Who only refreshes its place leaves the others alone.
		await().pollDelay(Duration.ofMillis(20)).until(() -> true);
		entering.acquire(store);
		assertThat(places(held)).isEqualTo(6);
	}

	private static int places(StoreCommands commands) {
		return Objects.requireNonNull(RedisRecord.read(redis, commands.record())).places();
	}

	@Test
	void recordOfALaterVersionIsTakenOrFreeAndItsTokensGrow() {
		StoreCommands commands = StoreCommands.fresh();
		String value = "3 x+ 0000000060000 9007199254700000 and whatever comes then";
		redis.opsForValue().set(commands.record(), value, Duration.ofSeconds(80));
		Busy busy = (Busy) commands.acquire(store);
		assertThat(busy.holder()).isEqualTo("(unknown)");
		assertThat(busy.placed()).isFalse();
		assertThat(busy.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
		assertThat(commands.renew(store, 1)).isInstanceOf(Gone.class);
		assertThat(commands.release(store).ended()).isEqualTo(Ended.NOTHING);
		assertThat(StoreCommands.join(locks.inspector().find(commands.key(), commands.timeout()))).isNotEmpty();
		assertThat(redis.opsForValue().get(commands.record())).isEqualTo(value);
		assertThat(StoreCommands.join(locks.inspector().force(commands.key(), LeaseInspector.ALL, commands.timeout()))
			.held()).isTrue();
		assertThat(commands.firstToken(store)).isEqualTo(9_007_199_254_700_001L);
	}

	@Test
	void reservationWithoutEndIsHeldUntilItIsForced() {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		held.acquire(store);
		waiting.acquire(store);
		held.release(store);
		redis.persist(held.record());
		StoreCommands late = held.rival();
		assertThat(late.acquire(store)).isInstanceOf(Busy.class);
		assertThat(StoreCommands.join(locks.inspector().find(held.key(), held.timeout()))).isNotEmpty();
		assertThat(StoreCommands.join(locks.inspector().force(held.key(), LeaseInspector.ALL, held.timeout())).held())
			.isTrue();
		assertThat(late.acquire(store)).isInstanceOf(Granted.class);
	}

	@Test
	void whoLeavesDoesNotShortenALeaseWithoutEnd() {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		held.acquire(store);
		waiting.acquire(store);
		redis.persist(held.record());
		assertThat(waiting.release(store).ended()).isEqualTo(Ended.PLACE);
		assertThat(redis.getExpire(held.record())).isNegative();
		held.release(store);
		assertThat(redis.getExpire(held.record())).isPositive();
	}

	@Test
	void tokensEndWhereNumbersAreNoLongerExact() {
		StoreCommands commands = StoreCommands.fresh();
		redis.opsForValue().set(commands.record(), "3 x+ 0000000060000 9007199254740991 ", Duration.ofSeconds(20));
		assertThat(StoreCommands.failure(store.acquire(commands.acquire()), LockStoreException.class))
			.hasMessageContaining("no tokens left, delete it");
	}

	@Test
	void tokensStartAtTheServersClockInMicroseconds() {
		long before = System.currentTimeMillis() * 1_000;
		assertThat(StoreCommands.fresh().firstToken(store)).isBetween(before - 1_000, before + 5_000_000);
	}

	@Test
	void transactionOfTheCallerIsNotJoined() {
		StoreCommands commands = StoreCommands.fresh();
		List<Object> results = redis.execute(new SessionCallback<>() {

			@Override
			@SuppressWarnings({ "unchecked", "rawtypes" })
			public List<Object> execute(RedisOperations operations) {
				operations.multi();
				assertThat(commands.acquire(store)).isInstanceOf(Granted.class);
				assertThat(commands.release(store).ended()).isEqualTo(Ended.LEASE);
				return operations.exec();
			}

		});
		assertThat(results).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway")
	void pipelineOfTheCallerIsNotJoined() {
		StoreCommands commands = StoreCommands.fresh();
		List<Object> results = redis.executePipelined((RedisCallback<Object>) (connection) -> {
			assertThat(commands.acquire(store)).isInstanceOf(Granted.class);
			return null;
		});
		assertThat(results).isEmpty();
	}

	@Test
	@SuppressWarnings("ResultOfMethodCallIgnored")
	void interruptedThreadStillReleases() {
		StoreCommands commands = StoreCommands.fresh();
		commands.acquire(store);
		Thread.currentThread().interrupt();
		CompletionStage<?> release = store.release(commands.release());
		assertThat(Thread.interrupted()).isTrue();
		StoreCommands.join(release);
		assertThat(commands.rival().acquire(store)).isInstanceOf(Granted.class);
	}

	private static void config(String name, String value) {
		redis.execute((RedisConnection connection) -> {
			connection.serverCommands().setConfig(name, value);
			return true;
		}, true);
	}

	private static void flushScripts() {
		redis.execute((RedisConnection connection) -> {
			connection.execute("SCRIPT", "FLUSH".getBytes(StandardCharsets.UTF_8));
			return true;
		}, true);
	}

}
