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

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for releases with {@code SET ... IFEQ}. If the server is older, a proxy replaces
 * the command with a script.
 */
@SuppressWarnings("NullAway.Init")
class SetIfEqualTests {

	private static final ReleaseAnswer RELEASED = new ReleaseAnswer(Ended.LEASE, Next.NOBODY);

	private static final String SET_IF_EQUAL = "local before = redis.call('GET', KEYS[1]) "
			+ "if before == ARGV[2] then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3]) end return before";

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private final FaultProxy proxy = FaultProxy.to(server.port());

	private final AtomicInteger comparisons = new AtomicInteger();

	private final AtomicInteger releases = new AtomicInteger();

	private volatile @Nullable String error;

	private RedisLocks locks;

	private LeaseStore store;

	@BeforeEach
	void connect() {
		this.proxy.replace(this::sent);
		this.locks = new RedisLocks(RedisServer.factory(this.proxy.port()), RedisServer.settings());
		this.store = this.locks.store();
	}

	@AfterEach
	void close() {
		this.locks.close();
		this.proxy.close();
	}

	private List<String> sent(List<String> command) {
		if (command.contains(LockScript.RELEASE.sha1())) {
			this.releases.incrementAndGet();
		}
		if (!command.get(0).equals("SET") || !command.contains("IFEQ")) {
			return command;
		}
		assertThat(command).hasSize(8).element(5).isEqualTo("GET");
		this.comparisons.incrementAndGet();
		String script = (this.error != null) ? "return redis.error_reply(\"" + this.error + "\")" : SET_IF_EQUAL;
		return List.of("EVAL", script, "1", command.get(1), command.get(2), command.get(4), command.get(7));
	}

	@Test
	void uncontendedReleaseIsOneCommandWithoutScript() {
		StoreCommands held = StoreCommands.fresh();
		long token = held.firstToken(this.store);
		assertThat(release(held, token)).isEqualTo(RELEASED);
		assertThat(this.comparisons).as("releases sent as SET IFEQ").hasValue(1);
		assertThat(this.releases).as("releases sent as scripts").hasValue(0);
		assertThat(RedisRecord.read(server.template(), held.record())).isNotNull()
			.satisfies((record) -> assertThat(record.left()).isBetween(-record.retention() / 2 - 1_000,
					-record.retention() / 2));
		assertThat(held.acquire(this.store)).isInstanceOf(AcquireAnswer.Ended.class);
		assertThat(held.rival().firstToken(this.store)).isGreaterThan(token);
	}

	@Test
	void engineReleasesUncontendedLockWithOneCommand() throws Exception {
		try (RedisInstance instance = new RedisInstance(this.proxy.port()).connected()) {
			for (int i = 0; i < 10; i++) {
				instance.engine().acquire(LockRequest.of("orders", "" + i % 2)).close();
				LockHandle handle = StoreCommands.join(instance.engine().acquireAsync(LockRequest.of("async", "" + i)));
				StoreCommands.join(handle.closeAsync());
			}
		}
		assertThat(this.comparisons).hasValue(20);
		assertThat(this.releases).hasValue(0);
	}

	@Test
	void duplicateReleaseFindsKeyReleasedAndLateReleaseEndsNothing() {
		StoreCommands held = StoreCommands.fresh();
		long token = held.firstToken(this.store);
		this.proxy.sendNextTwice((command) -> command.contains("IFEQ"));
		assertThat(release(held, token)).isEqualTo(RELEASED);
		assertThat(release(held, token)).isEqualTo(RELEASED);
		StoreCommands next = held.rival();
		next.firstToken(this.store);
		assertThat(release(held, token).ended()).isEqualTo(Ended.NOTHING);
		assertThat(held.rival().acquire(this.store)).isInstanceOf(AcquireAnswer.Busy.class);
	}

	@Test
	void renewedLeaseIsReleasedByScriptAndNotRenewedLater() {
		StoreCommands held = StoreCommands.fresh();
		long token = held.firstToken(this.store);
		assertThat(held.renew(this.store, token)).isInstanceOf(RenewAnswer.Renewed.class);
		assertThat(held.release(this.store)).isEqualTo(RELEASED);
		assertThat(held.renew(this.store, token)).isInstanceOf(RenewAnswer.Gone.class);
		assertThat(held.release(this.store)).isEqualTo(RELEASED);
		assertThat(held.acquire(this.store)).isInstanceOf(AcquireAnswer.Ended.class);
		assertThat(held.rival().acquire(this.store)).isInstanceOf(AcquireAnswer.Granted.class);
		assertThat(this.comparisons).hasValue(0);
	}

	@Test
	void releasePassesKeyToWaitingInstance() {
		StoreCommands held = StoreCommands.fresh();
		long token = held.firstToken(this.store);
		StoreCommands waiting = held.rival();
		waiting.acquire(this.store);
		assertThat(release(held, token).next()).isEqualTo(Next.OTHER);
		assertThat(waiting.acquire(this.store)).isInstanceOf(AcquireAnswer.Granted.class);
	}

	@Test
	void releaseAfterForceEndsNoLease() {
		StoreCommands held = StoreCommands.fresh();
		long token = held.firstToken(this.store);
		StoreCommands.join(this.locks.inspector().force(held.key(), token, held.timeout()));
		assertThat(release(held, token).ended()).isEqualTo(Ended.NOTHING);
	}

	@ParameterizedTest
	@ValueSource(strings = { "OOM command not allowed when used memory > 'maxmemory'.", "ERR syntax error" })
	void releasesUseScriptAfterServerRejectsCommand(String error) {
		this.error = error;
		for (int i = 0; i < 3; i++) {
			release();
		}
		assertThat(this.comparisons).hasValue(1);
		assertThat(this.releases).hasValue(3);
	}

	@Test
	void commandIsTriedAgainOnEachNewConnection() {
		this.error = "ERR syntax error";
		release();
		this.error = null;
		release();
		assertThat(this.comparisons).hasValue(1);
		this.proxy.cut();
		await().ignoreExceptions().untilAsserted(() -> StoreCommands.fresh().firstToken(this.store));
		release();
		assertThat(this.comparisons).hasValue(2);
		this.error = "ERR syntax error";
		release();
		assertThat(this.comparisons).hasValue(3);
		assertThat(this.releases).hasValue(3);
	}

	private void release() {
		StoreCommands held = StoreCommands.fresh();
		assertThat(release(held, held.firstToken(this.store))).isEqualTo(RELEASED);
	}

	private ReleaseAnswer release(StoreCommands held, long token) {
		return StoreCommands.join(this.store.release(held.releaseUnchanged(token)));
	}

}
