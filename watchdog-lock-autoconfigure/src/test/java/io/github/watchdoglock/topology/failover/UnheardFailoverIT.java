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

package io.github.watchdoglock.topology.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisRecord;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a failover without messages of the sentinels, and for a failover while very
 * many locks are held. The latter prints the numbers in
 * contributing/guarantees-and-tests.md.
 */
@Tag("topologies")
@ExtendWith(OutputCaptureExtension.class)
class UnheardFailoverIT {

	private static final int MANY = 100_000;

	private static final int MISSING = 10;

	/* Not renewed during the test. */
	private static final Duration LEASE = Duration.ofMinutes(5);

	/* Earlier than a former primary closes its connections by itself. */
	private static final Duration SOON = Duration.ofSeconds(8);

	@AutoClose
	private static final SentinelGroup group = SentinelGroup.start(2);

	/* The connection notices by itself that it receives nothing any more. */
	@Test
	void instanceFindsNewPrimaryAfterSentinelsWereUnreachable(CapturedOutput output) throws Exception {
		group.awaitReady();
		List<FaultProxy> relays = group.sentinels().stream().map(FaultProxy::to).toList();
		try (RedisInstance instance = new RedisInstance(through(relays), new LockNews()).connected()) {
			LockHandle held = instance.engine().acquire(LockRequest.of("held"));
			relays.forEach((relay) -> relay.stall(Direction.values()));
			relays.forEach((relay) -> await().atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(output)
					.contains("The sentinel at 127.0.0.1:" + relay.port() + " did not respond")));
			int before = group.primary();
			group.failOver();
			assertThat(group.connections(before)).as("at the former primary").isEqualTo(2);
			relays.forEach((relay) -> relay.resume(Direction.values()));
			await().atMost(SOON).until(() -> group.connections(group.primary()) == 2);
			assertThat(held.isHeld()).isTrue();
			held.close();
		}
		finally {
			relays.forEach(FaultProxy::close);
		}
	}

	@Test
	void hundredThousandLocksAreRenewedOrLostAtNewPrimary() throws Exception {
		group.awaitReady();
		LockNews news = new LockNews();
		try (RedisInstance instance = new RedisInstance(group.factory(), news).connected()) {
			List<LockHandle> held = acquire(instance, "many", MANY);
			List<LockHandle> missing = acquire(instance, "missing", MISSING);
			int before = group.primary();
			group.forget(before, missing.stream().map((handle) -> RedisRecord.name(handle.key())).toList());
			long renewed = news.count("renewed");
			long switched = group.failOver();
			await().atMost(Duration.ofSeconds(30))
				.pollInterval(Duration.ofMillis(5))
				.until(() -> news.losses().size() == MISSING);
			Duration told = Duration.ofNanos(System.nanoTime() - switched);
			await().atMost(Duration.ofSeconds(30))
				.pollInterval(Duration.ofMillis(100))
				.until(() -> news.count("renewed") >= renewed + MANY);
			Duration done = Duration.ofNanos(System.nanoTime() - switched);
			System.out.printf(
					"%,d held locks: %d that the new primary does not have are lost after %d ms, all others renewed after %d ms%n",
					MANY, MISSING, told.toMillis(), done.toMillis());
			assertThat(missing).allSatisfy((handle) -> assertThat(handle.loss()).get()
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.GONE));
			assertThat(held).allMatch(LockHandle::isHeld);
		}
	}

	private static LettuceConnectionFactory through(List<FaultProxy> sentinels) {
		return RedisServer.initialized(new LettuceConnectionFactory(
				SentinelGroup.configuration(SentinelGroup.MASTER, sentinels.stream().map(FaultProxy::port).toList())));
	}

	private static List<LockHandle> acquire(RedisInstance instance, String name, int count) {
		List<LockHandle> handles = new ArrayList<>();
		for (int from = 0; from < count; from += 1_000) {
			List<CompletableFuture<LockHandle>> some = IntStream.range(from, Math.min(count, from + 1_000))
				.mapToObj((i) -> instance.engine()
					.acquireAsync(LockRequest.of(name, "" + i).withLease(Lease.renewed(LEASE))))
				.toList();
			some.forEach((one) -> handles.add(one.join()));
		}
		return handles;
	}

}
