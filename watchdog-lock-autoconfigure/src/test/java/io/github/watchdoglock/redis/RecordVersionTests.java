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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.FakeLockService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Instances of two versions of this library on one Redis. A proxy replaces the scripts of
 * the newer version: its records have version 3, and it knows no other version.
 */
@Tag("slow")
class RecordVersionTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static final Map<String, String> NEWER_SCRIPTS = LockScript.VERBS.stream()
		.collect(Collectors.toMap(LockScript::sha1, RecordVersionTests::newerScript));

	private static final LockKey KEY = LockKey.of("orders");

	private static final Duration LEASE = Duration.ofMillis(1_200);

	private static final LockRequest REQUEST = LockRequest.of(KEY).withLease(Lease.renewed(LEASE));

	private static final LockRequest TRY = LockRequest.of("tried").withWaitTime(Duration.ZERO);

	private static final int HOLDS = 200;

	private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(300);

	private final FaultProxy proxy = newerVersion();

	private final RedisInstance older = new RedisInstance(server.port()).connected();

	private final RedisInstance newer = new RedisInstance(this.proxy.port()).connected();

	private final AtomicInteger holders = new AtomicInteger();

	private final AtomicInteger overlaps = new AtomicInteger();

	private final AtomicInteger lastVersion = new AtomicInteger();

	private final AtomicInteger changes = new AtomicInteger();

	private final AtomicLong lastToken = new AtomicLong();

	private final AtomicInteger tokensOutOfOrder = new AtomicInteger();

	@AfterEach
	void close() {
		this.newer.close();
		this.older.close();
		this.proxy.close();
	}

	private static FaultProxy newerVersion() {
		FaultProxy proxy = FaultProxy.to(server.port());
		proxy.replace(RecordVersionTests::newerCommand);
		return proxy;
	}

	private static List<String> newerCommand(List<String> command) {
		if (command.contains("IFEQ")) {
			// The newer instance compares with records of its own version, so it uses
			// scripts.
			return List.of("EVAL", "return redis.error_reply('ERR syntax error')", "0");
		}
		String script = (command.size() > 1) ? NEWER_SCRIPTS.get(command.get(1)) : null;
		if (script == null) {
			return command;
		}
		List<String> words = new ArrayList<>(command);
		words.set(0, "EVAL");
		words.set(1, script);
		return words;
	}

	/* 50 and 51 are the codes of the characters 2 and 3. */
	private static String newerScript(LockScript script) {
		return new String(script.text(), StandardCharsets.UTF_8).replace("'2 ", "'3 ")
			.replace("version ~= '2'", "version ~= '3'")
			.replace("== 50", "== 51");
	}

	@Test
	void instancesOfTwoVersionsNeverHoldAKeyTogether() throws Exception {
		holdInTurns(this.older.engine(), this.newer.engine());
		assertThat(this.overlaps).as("holds that overlapped a hold of the other version").hasValue(0);
		assertThat(this.changes).hasValueGreaterThan(10);
		assertThat(this.tokensOutOfOrder).hasValue(0);
	}

	@Test
	void sameRunHasOverlappingHoldsWithFakeLock() throws Exception {
		holdInTurns(new FakeLockService(), new FakeLockService());
		assertThat(this.overlaps).hasPositiveValue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void waiterIsGrantedKeyAfterHolderOfOtherVersion(boolean newerHolds) throws Exception {
		RedisInstance first = newerHolds ? this.newer : this.older;
		RedisInstance second = newerHolds ? this.older : this.newer;
		LockHandle held = first.engine().acquire(REQUEST);
		CompletableFuture<LockHandle> waiting = second.engine().acquireAsync(REQUEST);
		// Longer than the lease, which is renewed meanwhile.
		await().during(LEASE.multipliedBy(3).dividedBy(2)).until(() -> held.isHeld() && !waiting.isDone());
		assertThat(record(RedisRecord.name(KEY))).startsWith(newerHolds ? "3 o-" : "2 o-");
		assertThat(second.engine().find(KEY).orElseThrow().holder()).isEqualTo("(unknown)");
		assertThat(first.engine().find(KEY).orElseThrow().token()).isEqualTo(held.fencingToken());
		held.close();
		try (LockHandle next = waiting.get(5, TimeUnit.SECONDS)) {
			assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			assertThat(record(RedisRecord.name(KEY))).startsWith(newerHolds ? "2 o-" : "3 o-");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void commandsOfOtherVersionChangeNothingUntilLeaseEnds(boolean newerHolds) {
		try (RedisLocks locks = new RedisLocks(RedisServer.factory(this.proxy.port()), RedisServer.settings())) {
			LeaseStore own = newerHolds ? locks.store() : server.locks().store();
			LeaseStore other = newerHolds ? server.locks().store() : locks.store();
			StoreCommands held = StoreCommands.fresh();
			long token = held.firstToken(own);
			String record = record(held.record());
			long ttl = ttl(held.record());
			for (StoreCommands any : List.of(held, held.rival())) {
				assertThat(any.renew(other, token)).isInstanceOf(RenewAnswer.Gone.class);
				assertThat(any.release(other).ended()).isEqualTo(Ended.NOTHING);
				assertThat(StoreCommands.join(other.release(any.releaseUnchanged(token))).ended())
					.isEqualTo(Ended.NOTHING);
				assertThat(((AcquireAnswer.Busy) any.acquire(other)).placed()).isFalse();
			}
			assertThat(record(held.record())).isEqualTo(record);
			assertThat(ttl(held.record())).isLessThanOrEqualTo(ttl);
			assertThat(held.renew(own, token)).isInstanceOf(RenewAnswer.Renewed.class);
			server.template().expire(held.record(), Duration.ofSeconds(60));
			assertThat(held.rival().firstToken(other)).isGreaterThan(token);
			assertThat(held.renew(own, token)).isInstanceOf(RenewAnswer.Gone.class);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void forceReleaseTakesKeyFromHolderOfOtherVersion(boolean newerHolds) throws Exception {
		RedisInstance first = newerHolds ? this.newer : this.older;
		RedisInstance second = newerHolds ? this.older : this.newer;
		LockHandle held = first.engine().acquire(REQUEST);
		assertThat(second.engine().forceRelease(KEY, held.fencingToken())).isFalse();
		assertThat(second.engine().forceRelease(KEY)).isTrue();
		try (LockHandle next = second.engine().acquire(REQUEST.withWaitTime(Duration.ZERO))) {
			assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			assertThat(held.whenLost()).succeedsWithin(Duration.ofSeconds(5))
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.GONE);
			assertThat(next.isHeld()).isTrue();
		}
		held.close();
	}

	private void holdInTurns(LockService... versions) throws Exception {
		Concurrently.run(versions.length, (version) -> {
			int holds = 0;
			while (holds < HOLDS) {
				Optional<LockHandle> handle = versions[version].tryAcquire(TRY);
				if (handle.isPresent()) {
					hold(handle.get(), version);
					holds++;
				}
			}
			return version;
		});
	}

	private void hold(LockHandle handle, int version) {
		try (handle) {
			long token = handle.fencingToken();
			this.overlaps.addAndGet(this.holders.getAndIncrement());
			this.changes.addAndGet((this.lastVersion.getAndSet(version) != version) ? 1 : 0);
			this.tokensOutOfOrder.addAndGet((this.lastToken.getAndSet(token) < token) ? 0 : 1);
			LockSupport.parkNanos(PAUSE);
			this.holders.decrementAndGet();
		}
		// Gives the other instance time to acquire.
		LockSupport.parkNanos(PAUSE);
	}

	private static String record(String name) {
		return Objects.requireNonNull(server.template().opsForValue().get(name));
	}

	private static long ttl(String name) {
		return Objects.requireNonNull(server.template().getExpire(name, TimeUnit.MILLISECONDS));
	}

}
