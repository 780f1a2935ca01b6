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

package io.github.watchdoglock.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.redis.RedisRecord;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that random commands have the same answers from both stores. Poll intervals are
 * so long that real time never matters; time passes only when an entry expires.
 */
@SuppressWarnings("NullAway.Init")
class StoreEquivalenceTests {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static final int SEEDS = 500;

	private static final int COMMANDS = 200;

	@Tag("slow")
	@Test
	void randomCommandsHaveSameAnswersInBothStoresAndEntriesHaveTtl() {
		StringRedisTemplate redis = server.template();
		try (RedisLocks locks = new RedisLocks(server.factory(), RedisServer.settings())) {
			List<Run> runs = IntStream.range(0, SEEDS).mapToObj((seed) -> new Run(seed, locks)).toList();
			for (int i = 0; i < COMMANDS; i++) {
				runs.forEach(Run::step);
				runs.forEach((run) -> run.check(redis));
			}
		}
		Set<String> entries = Objects.requireNonNull(redis.keys("watchdog-lock:*"));
		assertThat(entries).hasSizeGreaterThan(SEEDS / 2);
		assertThat(entries)
			.allSatisfy((entry) -> assertThat(redis.getExpire(entry, TimeUnit.MILLISECONDS)).as(entry).isPositive());
	}

	private static final class Run {

		private static final Duration LENGTH = Duration.ofHours(1);

		private static final Duration TIMEOUT = Duration.ofSeconds(20);

		/*
		 * In turns: one exclusive holder, readers and writers, permits, and all of them
		 * together.
		 */
		private static final List<List<Kind>> KINDS = List.of(List.of(Kind.EXCLUSIVE),
				List.of(Kind.READ, Kind.EXCLUSIVE, Kind.READ), List.of(Kind.permits(2), Kind.permits(3)),
				List.of(Kind.permits(2), Kind.READ, Kind.EXCLUSIVE));

		private final long seed;

		private final Random random;

		private final LockKey key;

		private final AtomicLong micros = new AtomicLong(1_000_000);

		private final InMemoryLeaseStore memory = new InMemoryLeaseStore(() -> 0,
				() -> Instant.ofEpochSecond(0, 1_000 * this.micros.getAndAdd(10_000)));

		private final Side left = new Side(this.memory, this.memory);

		private final Side right;

		private final List<String> played = new ArrayList<>();

		private CompletableFuture<Void> comparison = CompletableFuture.completedFuture(null);

		private @Nullable BiConsumer<StringRedisTemplate, String> afterwards;

		Run(long seed, RedisLocks locks) {
			this.seed = seed;
			this.random = new Random(seed);
			this.key = LockKey.of("fuzz", "seed " + seed);
			this.right = new Side(locks.store(), locks.inspector());
		}

		/* Send one command; the commands of all runs are under way at the same time. */
		void step() {
			AttemptId attempt = attempt();
			int index = this.left.firstTokens.size() - 1 - this.random.nextInt(3);
			switch (this.random.nextInt(12)) {
				case 0, 1, 2, 3 -> acquire(attempt);
				case 4, 5 -> renew(attempt, index);
				case 6, 7, 8 -> release(attempt, index);
				case 9 -> compare("find", this.left.find(this.key), this.right.find(this.key));
				case 10 -> force();
				default -> expire();
			}
		}

		private AttemptId attempt() {
			int instance = this.random.nextInt(3);
			int number = this.random.nextInt(4);
			List<Kind> kinds = KINDS.get((int) (this.seed % KINDS.size()));
			return new AttemptId(this.seed + "-" + instance, number, kinds.get((instance + number) % kinds.size()));
		}

		private void acquire(AttemptId attempt) {
			AcquireCommand command = new AcquireCommand(this.key, attempt, "holder " + attempt, LENGTH,
					this.random.nextBoolean() ? 1 : TokenBlock.SIZE, this.random.nextBoolean(),
					(this.random.nextInt(4) == 0) ? Duration.ZERO : LENGTH, this.random.nextInt(4) == 0, TIMEOUT);
			compare(command, this.left.acquire(command), this.right.acquire(command));
		}

		private void renew(AttemptId attempt, int index) {
			boolean next = this.random.nextBoolean();
			compare("renew " + attempt + " " + index + " " + next,
					this.left.renew(new RenewCommand(this.key, attempt, this.left.token(index), LENGTH, next, TIMEOUT)),
					this.right
						.renew(new RenewCommand(this.key, attempt, this.right.token(index), LENGTH, next, TIMEOUT)));
		}

		private void release(AttemptId attempt, int index) {
			Duration keep = (this.random.nextInt(8) == 0) ? LENGTH : Duration.ZERO;
			ReleaseCommand.Requeue requeue = this.random.nextBoolean() ? null
					: new ReleaseCommand.Requeue(attempt(), LENGTH);
			int last = this.random.nextInt(3) - 1;
			ReleaseCommand.Grant grant = (attempt.kind().isShared() || this.random.nextBoolean()) ? null
					: new ReleaseCommand.Grant("holder " + attempt, LENGTH);
			compare("release " + attempt + " " + last + " " + keep + " " + requeue,
					this.left.release(new ReleaseCommand(this.key, attempt, (last > 0) ? this.left.token(index) : last,
							keep, requeue, TIMEOUT, grant)),
					this.right.release(new ReleaseCommand(this.key, attempt,
							(last > 0) ? this.right.token(index) : last, keep, requeue, TIMEOUT, grant)));
		}

		private void force() {
			if (this.random.nextInt(3) == 0) {
				compare("force", this.left.force(this.key), this.right.force(this.key));
			}
		}

		private void expire() {
			if (this.random.nextBoolean()) {
				StoreFaults.expireLease(this.memory, this.key);
				this.afterwards = RedisRecord::expire;
				this.played.add("lease expires");
			}
			else if (this.random.nextInt(4) == 0) {
				StoreFaults.forget(this.memory, this.key);
				this.afterwards = RedisOperations::delete;
				this.played.add("record is lost");
			}
		}

		private void compare(Object command, CompletableFuture<String> inMemory, CompletableFuture<String> inRedis) {
			this.played.add(command + " -> " + inMemory.join());
			this.comparison = inRedis.thenAccept((answer) -> {
				if (!answer.equals(inMemory.join())) {
					throw new AssertionError("seed " + this.seed + ": Redis answered " + answer + " to\n"
							+ String.join("\n", this.played));
				}
			});
		}

		/* Apply to Redis the change of the record that the store in memory has had. */
		void check(StringRedisTemplate redis) {
			this.comparison.join();
			if (this.afterwards != null) {
				this.afterwards.accept(redis, RedisRecord.name(this.key));
				this.afterwards = null;
			}
		}

	}

	/*
	 * A store and its answers, without durations; tokens are numbered in the order of
	 * their grants.
	 */
	private static final class Side {

		private final LeaseStore store;

		private final LeaseInspector inspector;

		private final List<Long> firstTokens = new ArrayList<>();

		private long end;

		Side(LeaseStore store, LeaseInspector inspector) {
			this.store = store;
			this.inspector = inspector;
		}

		long token(int index) {
			return (index < 0) ? 1 : this.firstTokens.get(index);
		}

		CompletableFuture<String> acquire(AcquireCommand command) {
			return this.store.acquire(command)
				.handle((answer, failure) -> (failure != null) ? refusal(failure) : text(command, answer))
				.toCompletableFuture();
		}

		private static String refusal(Throwable failure) {
			assertThat(StoreCalls.cause(failure)).isInstanceOf(CommandRefusedException.class);
			return "refused";
		}

		private String text(AcquireCommand command, AcquireAnswer answer) {
			if (answer instanceof AcquireAnswer.Busy busy) {
				// Of several holders the one whose lease ends first; in memory no time
				// passes.
				return "busy " + (busy.holder().contains("/") ? "some" : busy.holder()) + " " + busy.placed() + " "
						+ busy.other();
			}
			if (answer instanceof AcquireAnswer.Ended) {
				return "ended";
			}
			AcquireAnswer.Granted granted = (AcquireAnswer.Granted) answer;
			long first = granted.block().first();
			// The same token again: a repeated grant, or a lease that ended without using
			// it. The token of one of several holders is treated in the same way.
			if (!command.attempt().kind().isShared() || !this.firstTokens.contains(first)) {
				assertThat(first).isGreaterThanOrEqualTo(token(this.firstTokens.size() - 1));
			}
			this.firstTokens.add(first);
			this.end = granted.block().last();
			return "granted " + granted.contended() + " " + granted.other();
		}

		CompletableFuture<String> renew(RenewCommand command) {
			return this.store.renew(List.of(command)).get(0).thenApply(this::text).toCompletableFuture();
		}

		private String text(RenewAnswer answer) {
			if (!(answer instanceof RenewAnswer.Renewed renewed)) {
				return "gone";
			}
			if (renewed.next() != null) {
				assertThat(renewed.next().first()).isGreaterThan(this.end);
				this.end = renewed.next().last();
			}
			return "renewed " + renewed.contended() + " " + (renewed.next() != null);
		}

		CompletableFuture<String> release(ReleaseCommand command) {
			return this.store.release(command).thenApply(ReleaseAnswer::toString).toCompletableFuture();
		}

		CompletableFuture<String> find(LockKey key) {
			return this.inspector.find(key, Run.TIMEOUT)
				.thenApply((found) -> found.stream().map(this::text).sorted().toList().toString())
				.toCompletableFuture();
		}

		private String text(LockState state) {
			return state.holder() + " " + (state.token() == token(this.firstTokens.size() - 1)) + " " + state.waiting()
					+ " " + state.mode() + state.permits();
		}

		CompletableFuture<String> force(LockKey key) {
			return this.inspector.force(key, LeaseInspector.ALL, Run.TIMEOUT)
				.thenApply(ForceAnswer::toString)
				.toCompletableFuture();
		}

	}

}
