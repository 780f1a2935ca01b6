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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisRecord;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.SlowWork;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Measurements of failovers: two instances hold locks and take them from each other, with
 * {@code -Dfailovers=} failovers of each kind, of three kinds at a time. Prints a row of
 * contributing/topologies.md for each kind; {@code -Dfailovers.rows=} selects some.
 */
@Tag("topologies")
@EnabledIfSystemProperty(named = "failovers", matches = "\\d+")
class FailoverIT {

	private static final int TIMES = Integer.getInteger("failovers", 1);

	/* A regular expression for the beginning of printed rows. */
	private static final String ROWS = System.getProperty("failovers.rows", ".*");

	/* Each of them spends most of its time waiting. */
	private static final int AT_A_TIME = 3;

	private static final Lease LEASE = Lease.renewed(Duration.ofSeconds(6));

	/* Renewed so rarely that the replicas do not receive the lock again. */
	private static final Lease LONG = Lease.renewed(Duration.ofSeconds(30));

	/* Longer than a lag of ten seconds and a lease. */
	private static final Duration CUT = Duration.ofSeconds(20);

	/* Redis measures the lag in whole seconds, and checks it once per second. */
	private static final Duration LOOK = Duration.ofSeconds(2);

	private static final int HELD = 15;

	private static final int MISSING = 5;

	private static final int MOVING = 8;

	/* The limit for two holders at once, and for the notification of the first. */
	private static final long SHORT = 1_000;

	/* The longest rows come first. */
	@Test
	void failoverStaysWithinLimitsOfDoubleHoldsAndNotification() throws Exception {
		List<Row> rows = Stream.of(Kind.PARTITIONED, Kind.PLANNED, Kind.KILLED)
			.flatMap((kind) -> Stream.of(new Row(kind, 2, 0, 10), new Row(kind, 2, 1, 10), new Row(kind, 2, 1, 1),
					new Row(kind, 1, 1, 10)))
			.filter((row) -> row.toString().matches(ROWS))
			.toList();
		assertThat(rows).isNotEmpty();
		ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
		try {
			for (Future<?> played : threads.invokeAll(rows.stream().map(FailoverIT::playing).toList())) {
				played.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static Callable<@Nullable Void> playing(Row row) {
		return () -> {
			play(row);
			return null;
		};
	}

	private static void play(Row row) throws Exception {
		List<Outcome> outcomes = new ArrayList<>();
		try (SentinelGroup group = SentinelGroup.startBehindRelays(row.replicas, "min-replicas-to-write " + row.least,
				"min-replicas-max-lag " + row.lag)) {
			for (int i = 0; i < TIMES; i++) {
				group.awaitReplicas();
				try (Trial trial = new Trial(group)) {
					outcomes.add(trial.play(row.kind));
				}
			}
		}
		finally {
			if (!outcomes.isEmpty()) {
				System.out.println(row + " | " + outcomes.size() + " | " + summary(outcomes) + " |");
			}
		}
		if (row.kind != Kind.PARTITIONED && (row.least > 0 || row.kind == Kind.PLANNED)) {
			assertThat(outcomes).as("%s", row).allMatch((outcome) -> outcome.together() <= SHORT);
		}
		if (row.kind != Kind.PARTITIONED) {
			assertThat(outcomes).as("%s", row)
				.allMatch((outcome) -> outcome.told() <= SHORT && outcome.disordered() == 0);
		}
		else if (row.least > 0) {
			long bound = Duration.ofSeconds(row.lag).plus(LOOK).plus(LEASE.duration()).toMillis();
			assertThat(outcomes).as("%s", row).allMatch((outcome) -> outcome.told() <= bound);
		}
	}

	private static String summary(List<Outcome> outcomes) {
		long keys = outcomes.stream().mapToLong(Outcome::keys).max().orElseThrow();
		LongSummaryStatistics together = outcomes.stream().mapToLong(Outcome::together).summaryStatistics();
		return keys + " | " + together.getMax() + " | " + medianAndMost(outcomes.stream().map(Outcome::told).toList())
				+ " | " + medianAndMost(outcomes.stream().map(Outcome::pause).toList()) + " | "
				+ outcomes.stream().mapToInt(Outcome::disordered).sum();
	}

	private static String medianAndMost(List<Long> values) {
		List<Long> sorted = values.stream().sorted().toList();
		return sorted.get(sorted.size() / 2) + ", " + sorted.get(sorted.size() - 1);
	}

	/**
	 * The way in which the primary is lost.
	 */
	enum Kind {

		PLANNED, KILLED,

		/** The primary is cut off together with one of the instances. */
		PARTITIONED

	}

	/**
	 * A kind of failover and the configuration of its servers.
	 *
	 * @param kind how the primary is lost
	 * @param replicas how many replicas it has
	 * @param least min-replicas-to-write of all of them
	 * @param lag min-replicas-max-lag
	 */
	record Row(Kind kind, int replicas, int least, int lag) {

		@Override
		public String toString() {
			return "| " + this.kind + " | " + this.replicas + " | " + ((this.least > 0) ? this.lag + " s" : "–");
		}

	}

	/**
	 * The outcome of a failover.
	 *
	 * @param keys the number of keys with two holders
	 * @param together the longest time with two holders, in milliseconds
	 * @param told when the last holder that lost its lock was notified, in milliseconds
	 * since the first sentinel named another primary, or since the cut
	 * @param pause the longest time without a granted lock, in milliseconds
	 * @param disordered the number of tokens that were not greater than the last
	 */
	record Outcome(int keys, long together, long told, long pause, int disordered) {

	}

	/**
	 * Two instances of a service and their locks.
	 */
	private static final class Trial implements AutoCloseable {

		private final SentinelGroup group;

		private final int primary;

		private final HolderWatch watch = new HolderWatch();

		private final Map<Integer, FaultProxy> ways = new HashMap<>();

		private final ClientResources resources = ClientResources.builder()
			.socketAddressResolver(new SocketAddressResolver() {

				@Override
				public SocketAddress resolve(RedisURI uri) {
					return new InetSocketAddress(InetAddress.getLoopbackAddress(),
							Trial.this.ways.get(uri.getPort()).port());
				}

			})
			.build();

		private final RedisInstance cutOff;

		private final RedisInstance other;

		private final List<LockHandle> held = new CopyOnWriteArrayList<>();

		private final List<Thread> threads = new ArrayList<>();

		private volatile boolean over;

		private volatile boolean partitioned;

		Trial(SentinelGroup group) {
			this.group = group;
			this.primary = group.primary();
			this.cutOff = new RedisInstance(waysOfItsOwn(), new LockNews()).connected();
			this.other = new RedisInstance(group.factory(), new LockNews()).connected();
		}

		/*
		 * Connections that do not use the relays of all others, so that these can be cut
		 * separately.
		 */
		private LettuceConnectionFactory waysOfItsOwn() {
			this.group.servers().forEach((port) -> this.ways.put(port, FaultProxy.to(this.group.server(port).port())));
			this.group.sentinels().forEach((port) -> this.ways.put(port, FaultProxy.to(port)));
			return RedisServer.initialized(new LettuceConnectionFactory(this.group.configuration(),
					LettuceClientConfiguration.builder().clientResources(this.resources).build()));
		}

		Outcome play(Kind kind) throws Exception {
			for (int i = 0; i < HELD; i++) {
				hold(this.cutOff, "cut-off-" + i, LEASE);
				hold(this.other, "other-" + i, LEASE);
			}
			List<LockHandle> missing = new ArrayList<>();
			for (int i = 0; i < MISSING; i++) {
				missing.add(hold(this.cutOff, "missing-" + i, LONG));
			}
			start();
			SlowWork.uninterrupted(Duration.ofSeconds(2));
			long told = switch (kind) {
				case PLANNED -> {
					forgetMissing();
					yield awaitTold(missing, this.group.failOver());
				}
				case KILLED -> {
					forgetMissing();
					this.group.server(this.primary).process().kill();
					yield awaitTold(missing, this.group.awaitSwitch(this.primary));
				}
				case PARTITIONED -> partition();
			};
			SlowWork.uninterrupted(Duration.ofSeconds(5));
			if (kind == Kind.KILLED) {
				this.group.startServer(this.primary);
			}
			this.group.awaitReady();
			SlowWork.uninterrupted(Duration.ofSeconds(1));
			this.over = true;
			for (Thread thread : this.threads) {
				thread.join();
			}
			Map<LockKey, Long> together = this.watch.together();
			return new Outcome(together.size(),
					together.values().stream().mapToLong((millis) -> millis).max().orElse(0), told, this.watch.pause(),
					this.watch.disordered());
		}

		private LockHandle hold(RedisInstance instance, String name, Lease lease) throws InterruptedException {
			LockHandle handle = instance.engine().acquire(LockRequest.of(name).withLease(lease));
			this.watch.hold(handle, false);
			this.held.add(handle);
			return handle;
		}

		private void start() {
			thread(() -> steal(this.cutOff, "other-", HELD));
			thread(() -> steal(this.other, "cut-off-", HELD));
			thread(() -> steal(this.other, "missing-", MISSING));
			for (int i = 0; i < MOVING; i++) {
				LockRequest request = LockRequest.of("moving-" + i)
					.withLease(LEASE)
					.withWaitTime(Duration.ofSeconds(1));
				thread(() -> workUnder(this.cutOff, request));
				thread(() -> workUnder(this.other, request));
			}
		}

		private void thread(Runnable work) {
			Thread thread = new Thread(work, "instance");
			this.threads.add(thread);
			thread.start();
		}

		/* Acquire locks of the other instance as soon as possible, and keep them. */
		private void steal(RedisInstance instance, String name, int count) {
			while (!this.over) {
				for (LockRequest request : IntStream.range(0, count)
					.mapToObj((i) -> LockRequest.of(name + i))
					.toList()) {
					attempt(() -> instance.engine()
						.tryAcquire(request.withLease(LEASE).withWaitTime(Duration.ZERO))
						.ifPresent((handle) -> {
							this.watch.hold(handle, false);
							this.held.add(handle.detach());
						}));
				}
				SlowWork.uninterrupted(Duration.ofMillis(100));
			}
		}

		private void workUnder(RedisInstance instance, LockRequest request) {
			while (!this.over) {
				attempt(() -> {
					LockHandle handle = instance.engine().acquire(request);
					this.watch.hold(handle, instance == this.other || !this.partitioned);
					SlowWork.uninterrupted(Duration.ofMillis(5));
					this.watch.end(handle);
					handle.close();
				});
				SlowWork.uninterrupted(Duration.ofMillis(20));
			}
		}

		/* An attempt that does not get a lock is repeated. */
		private static void attempt(Attempt attempt) {
			try {
				attempt.run();
			}
			catch (LockException ex) {
				SlowWork.uninterrupted(Duration.ofMillis(20));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/* As if no replica had received these locks before the primary was lost. */
		private void forgetMissing() {
			this.group.forget(this.primary,
					IntStream.range(0, MISSING).mapToObj((i) -> RedisRecord.name(LockKey.of("missing-" + i))).toList());
		}

		private static long awaitTold(List<LockHandle> missing, long since) {
			await().atMost(Duration.ofSeconds(60))
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(2))
				.until(() -> missing.stream().noneMatch(LockHandle::isHeld));
			return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
		}

		/* Returns when the last lock on the side that was cut off was lost. */
		private long partition() {
			this.partitioned = true;
			List<LockHandle> before = this.held.stream()
				.filter((handle) -> handle.key().name().startsWith("cut-off-"))
				.toList();
			long cut = System.nanoTime();
			this.group.relay(this.primary).stall(Direction.values());
			this.ways.forEach((port, way) -> {
				if (port != this.primary) {
					way.stall(Direction.values());
				}
			});
			long told = -1;
			while (System.nanoTime() - cut < CUT.toNanos()) {
				if (told < 0 && before.stream().noneMatch(LockHandle::isHeld)) {
					told = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - cut);
				}
				SlowWork.uninterrupted(Duration.ofMillis(2));
			}
			this.ways.values().forEach((way) -> way.resume(Direction.values()));
			this.group.relay(this.primary).resume(Direction.values());
			return (told < 0) ? CUT.toMillis() : told;
		}

		@Override
		public void close() {
			this.over = true;
			this.watch.close();
			this.held.forEach(LockHandle::close);
			this.cutOff.close();
			this.other.close();
			var unused = this.resources.shutdown(0, 1, TimeUnit.SECONDS);
			this.ways.values().forEach(FaultProxy::close);
			if (!this.group.server(this.primary).isRunning()) {
				this.group.startServer(this.primary);
			}
		}

		/**
		 * An attempt that may not get a lock.
		 */
		private interface Attempt {

			void run() throws InterruptedException;

		}

	}

}
