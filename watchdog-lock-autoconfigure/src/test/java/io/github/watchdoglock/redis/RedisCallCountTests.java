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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the number of Redis calls of each lock operation, according to Redis' own
 * counters.
 */
@SuppressWarnings("NullAway.Init")
class RedisCallCountTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension replica = new RedisServerExtension();

	private static final int WAITING = 200;

	private static final Pattern CALLS = Pattern
		.compile("cmdstat_(get|getrange|set|pttl|pexpire|time|append|setrange|publish)=calls=(\\d+)");

	private static RedisAdmin admin;

	private static LeaseStore store;

	@BeforeAll
	static void connect() {
		admin = server.admin();
		store = server.locks().store();
		// The first release of a connection finds out whether the server supports the
		// command.
		StoreCommands first = StoreCommands.fresh();
		StoreCommands.join(store.release(first.releaseUnchanged(first.firstToken(store))));
	}

	@Test
	void uncontendedLockTakesThreeOrFourCallsAndReleaseAtMostTwo() {
		StoreCommands first = StoreCommands.fresh();
		assertThat(calls(() -> first.acquire(store))).isEqualTo(Map.of("get", 1, "time", 1, "set", 1));
		long token = token(first);
		assertThat(calls(() -> StoreCommands.join(store.release(first.releaseUnchanged(token)))))
			.isIn(Map.of("get", 1, "pexpire", 1), Map.of("set", 1));
		StoreCommands second = first.rival();
		assertThat(calls(() -> second.acquire(store))).isEqualTo(Map.of("get", 1, "pttl", 1, "time", 1, "set", 1));
		long next = token(second);
		assertThat(calls(() -> StoreCommands.join(store.release(second.releaseUnchanged(next)))))
			.isIn(Map.of("get", 1, "pexpire", 1), Map.of("set", 1));
	}

	@Test
	void releaseOfRenewedLeaseTakesOneMoreCall() {
		StoreCommands renewed = StoreCommands.fresh();
		long token = renewed.firstToken(store);
		assertThat(calls(() -> release(renewed, token))).isEqualTo(Map.of("get", 1, "pexpire", 1, "setrange", 1));
	}

	@Test
	void renewalTakesTwoCallsPerLockAndOneMoreBeforeRedisSeven() {
		List<RenewCommand> renewals = Stream.of(StoreCommands.fresh(), StoreCommands.fresh())
			.map((lock) -> longer(lock, token(lock)))
			.toList();
		boolean old = admin.info("server").contains("redis_version=6.");
		assertThat(calls(() -> store.renew(renewals).forEach(StoreCommands::join)))
			.isEqualTo(old ? Map.of("getrange", 2, "pttl", 2, "pexpire", 2) : Map.of("getrange", 2, "pexpire", 2));
	}

	private static RenewCommand longer(StoreCommands lock, long token) {
		return new RenewCommand(lock.key(), lock.attempt(), token, Duration.ofMinutes(1), false, lock.timeout());
	}

	@Test
	void readerAloneAcquiresAndReleasesInThreeCallsEach() {
		StoreCommands reader = StoreCommands.fresh().as(Kind.READ);
		assertThat(calls(() -> reader.acquire(store))).isEqualTo(Map.of("get", 1, "time", 1, "set", 1));
		long token = token(reader);
		assertThat(calls(() -> release(reader, token))).isEqualTo(Map.of("get", 1, "pexpire", 1, "setrange", 1));
	}

	@Test
	void permitRenewalsOfSameKeyShareReadsAndExpiry() {
		StoreCommands any = StoreCommands.fresh();
		List<StoreCommands> permits = IntStream.range(0, 5).mapToObj((i) -> any.rival().as(Kind.permits(9))).toList();
		List<RenewCommand> renewals = permits.stream().map((permit) -> longer(permit, token(permit))).toList();
		assertThat(calls(() -> store.renew(renewals).forEach(StoreCommands::join)))
			.isEqualTo(Map.of("getrange", 2, "pttl", 1, "time", 1, "pexpire", 1, "setrange", 5));
	}

	@Test
	void releaseOfUnusedTokensTakesOneMoreCall() {
		StoreCommands commands = StoreCommands.fresh();
		AcquireCommand single = commands.acquire();
		AcquireCommand block = new AcquireCommand(single.key(), single.attempt(), single.holder(), single.lease(),
				1_024, false, single.poll(), false, single.timeout());
		long token = ((Granted) StoreCommands.join(store.acquire(block))).block().first();
		assertThat(calls(() -> release(commands, token))).isEqualTo(Map.of("get", 1, "pexpire", 1, "setrange", 2));
	}

	@Test
	void pollAmongTwoHundredWaitersReplicatesFewBytes() {
		StoreCommands held = StoreCommands.fresh();
		held.acquire(store);
		List<AcquireCommand> polls = polls(held);
		polls.forEach((poll) -> StoreCommands.join(store.acquire(poll)));
		assertThat(RedisRecord.read(server.template(), held.record())).isNotNull()
			.extracting(RedisRecord::places)
			.isEqualTo(WAITING);
		admin.set("repl-ping-replica-period", "3600");
		replica.admin().follow(server.port());
		admin.awaitReplicas(1);
		long before = admin.fact("replication", "master_repl_offset");
		polls.forEach((poll) -> StoreCommands.join(store.acquire(poll)));
		assertThat((admin.fact("replication", "master_repl_offset") - before) / WAITING).isBetween(50L, 200L);
	}

	/*
	 * Polls of this many waiting instances, none of which expires before the test ends.
	 */
	private static List<AcquireCommand> polls(StoreCommands held) {
		return IntStream.range(0, WAITING)
			.mapToObj((i) -> new AcquireCommand(held.key(), new AttemptId(held.attempt().instance() + i, 1), "waiting",
					StoreCommands.LEASE, 1, false, Duration.ofMinutes(1), false, held.timeout()))
			.toList();
	}

	private static long token(StoreCommands commands) {
		return commands.firstToken(store);
	}

	private static void release(StoreCommands commands, long token) {
		StoreCommands.join(store.release(new ReleaseCommand(commands.key(), commands.attempt(), token, Duration.ZERO,
				null, commands.timeout())));
	}

	private static Map<String, Integer> calls(Runnable verb) {
		admin.command("CONFIG", "RESETSTAT");
		verb.run();
		Map<String, Integer> calls = new TreeMap<>();
		CALLS.matcher(admin.info("commandstats"))
			.results()
			.forEach((count) -> calls.put(count.group(1), Integer.valueOf(count.group(2))));
		return calls;
	}

}
