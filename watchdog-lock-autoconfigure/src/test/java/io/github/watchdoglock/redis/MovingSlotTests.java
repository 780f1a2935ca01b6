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
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks of a slot that moves between primaries of a cluster. The target knows
 * no script. Each command names one key, so that the current or future owner of the key
 * carries it out. Commands with several keys are rejected while the keys are on both
 * nodes.
 */
@Tag("slow")
class MovingSlotTests {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	private static final Duration LEASE = Duration.ofSeconds(6);

	@Test
	void storeCommandsSucceedDuringAndAfterSlotMove() {
		Slot slot = new Slot("verbs");
		LettuceConnectionFactory factory = cluster.factory();
		try (RedisLocks locks = new RedisLocks(factory, RedisServer.settings())) {
			LeaseStore store = locks.store();
			List<StoreCommands> held = new ArrayList<>();
			List<RenewCommand> renewals = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				StoreCommands commands = slot.next();
				held.add(commands);
				renewals.add(commands.renew(commands.firstToken(store)));
			}
			slot.mark();
			slot.move(held.get(0).record(), held.get(1).record());
			slot.flushTarget();
			long refused = errors("TRYAGAIN");
			renewAll(store, renewals);
			// The batch is rejected once, because its keys are on both nodes.
			assertThat(errors("TRYAGAIN") - refused).as("batches rejected with TRYAGAIN").isOne();
			passOn(slot, store, held.get(0));
			passOn(slot, store, held.get(2));
			StoreCommands fresh = slot.next();
			slot.flushTarget();
			assertThat(fresh.release(store).ended()).isEqualTo(Ended.NOTHING);
			slot.flushTarget();
			fresh.acquire(store);
			passOn(slot, store, fresh);
			renewAll(store, List.of(renewals.get(1)));
			renewAll(store, List.of(renewals.get(3)));
			assertThat(errors("TRYAGAIN") - refused).isOne();
			slot.moveRest();
			slot.settle();
			slot.flushTarget();
			renewAll(store, List.of(renewals.get(1), renewals.get(3)));
			passOn(slot, store, held.get(1));
			passOn(slot, store, held.get(3));
			StoreCommands last = slot.next();
			last.acquire(store);
			passOn(slot, store, last);
			assertThat(errors("TRYAGAIN") - refused).isOne();
			assertThat(errors("ASK")).isGreaterThan(10);
			assertThat(errors("MOVED")).isGreaterThan(10);
			assertThat(errors("NOSCRIPT")).isGreaterThan(10);
		}
		finally {
			factory.destroy();
		}
	}

	/* Pass the key from the attempt that has it to one that waits. */
	private static void passOn(Slot slot, LeaseStore store, StoreCommands owner) {
		StoreCommands waiting = owner.rival();
		slot.flushTarget();
		assertThat(waiting.acquire(store)).isInstanceOfSatisfying(Busy.class,
				(busy) -> assertThat(busy.placed()).isTrue());
		slot.flushTarget();
		assertThat(owner.release(store)).satisfies((answer) -> {
			assertThat(answer.ended()).isEqualTo(Ended.LEASE);
			assertThat(answer.next()).isEqualTo(Next.OTHER);
		});
		slot.flushTarget();
		assertThat(waiting.acquire(store)).isInstanceOf(Granted.class);
		slot.flushTarget();
		assertThat(waiting.release(store).ended()).isEqualTo(Ended.LEASE);
	}

	private static void renewAll(LeaseStore store, List<RenewCommand> renewals) {
		assertThat(store.renew(renewals))
			.allSatisfy((answer) -> assertThat(StoreCommands.join(answer)).isInstanceOf(Renewed.class));
	}

	@Test
	void noLockIsLostOrRejectedWhileSlotMoves() throws Exception {
		Slot slot = new Slot("instances");
		LockNews news = new LockNews();
		try (RedisInstance one = new RedisInstance(cluster.factory(), news).connected();
				RedisInstance other = new RedisInstance(cluster.factory(), news).connected()) {
			List<LockHandle> kept = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				kept.add(one.engine().acquire(slot.request()));
			}
			List<LockHandle> passed = new ArrayList<>();
			List<CompletableFuture<LockHandle>> awaited = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				LockRequest request = slot.request().withWaitTime(Duration.ofSeconds(20));
				passed.add(one.engine().acquire(request));
				awaited.add(other.engine().acquireAsync(request));
			}
			slot.mark();
			slot.flushTarget();
			for (int i = 0; i < 6; i++) {
				// Half of the keys move before their release, and half after it.
				LockKey key = passed.get(i).key();
				if (i % 2 == 0) {
					slot.move(RedisRecord.name(key));
				}
				slot.move(RedisRecord.name(kept.get(i).key()));
				takeAndGiveBack(one, slot);
				passed.get(i).close();
				try (LockHandle handle = awaited.get(i).join()) {
					assertThat(handle.isHeld()).isTrue();
				}
				takeAndGiveBack(other, slot);
			}
			// All leases are renewed while their keys are on both nodes.
			awaitRenewal(news, kept);
			slot.flushTarget();
			slot.moveRest();
			takeAndGiveBack(one, slot);
			slot.settle();
			takeAndGiveBack(other, slot);
			awaitRenewal(news, kept);
			assertThat(kept).allMatch(LockHandle::isHeld);
			kept.forEach(LockHandle::close);
			for (LockHandle handle : kept) {
				other.engine().acquire(LockRequest.of(handle.key())).close();
			}
			assertThat(news.losses()).isEmpty();
			assertThat(List.of(news.count("renewal failed"), news.count("at risk"), news.count("release failed")))
				.containsOnly(0L);
		}
	}

	private static void awaitRenewal(LockNews news, List<LockHandle> held) {
		Map<LockKey, Long> before = new HashMap<>();
		held.forEach((handle) -> before.put(handle.key(), news.count("renewed", handle.key())));
		await().atMost(LEASE)
			.until(() -> before.entrySet()
				.stream()
				.allMatch((each) -> news.count("renewed", each.getKey()) > each.getValue()));
	}

	/* The number of commands that a node has rejected with this error. */
	private static long errors(String word) {
		Pattern pattern = Pattern.compile("errorstat_" + word + "=count=(\\d+)");
		return cluster.ports().stream().mapToLong((port) -> {
			Matcher count = pattern.matcher(cluster.at(port).admin().info("errorstats"));
			return count.find() ? Long.parseLong(count.group(1)) : 0;
		}).sum();
	}

	private static void takeAndGiveBack(RedisInstance instance, Slot slot) throws Exception {
		for (int i = 0; i < 5; i++) {
			instance.engine().acquire(slot.request()).close();
		}
	}

	/**
	 * A slot that moves from its node to another one.
	 */
	private static final class Slot {

		private final Iterator<LockKey> keys;

		private final List<String> used = new ArrayList<>();

		private final String slot;

		private final int source;

		private final int target;

		Slot(String name) {
			LockKey first = LockKey.of(name, "0");
			int slot = RedisClusterExtension.slot(first);
			this.slot = Integer.toString(slot);
			this.keys = IntStream.iterate(0, (i) -> i + 1)
				.mapToObj((i) -> LockKey.of(name, "" + i))
				.filter((key) -> RedisClusterExtension.slot(key) == slot)
				.iterator();
			this.source = cluster.node(first);
			this.target = cluster.ports().stream().filter((port) -> port != this.source).findFirst().orElseThrow();
		}

		/* Commands for a key that Redis does not know. */
		StoreCommands next() {
			StoreCommands any = StoreCommands.fresh();
			return new StoreCommands(key(), any.attempt(), any.timeout());
		}

		LockRequest request() {
			return LockRequest.of(key()).withLease(Lease.renewed(LEASE));
		}

		private LockKey key() {
			LockKey key = this.keys.next();
			this.used.add(RedisRecord.name(key));
			return key;
		}

		void mark() {
			cluster.at(this.target).admin().command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(this.source));
			cluster.at(this.source).admin().command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(this.target));
		}

		void flushTarget() {
			cluster.at(this.target).admin().flushScripts();
		}

		void move(String... records) {
			List<String> words = new ArrayList<>(List.of("127.0.0.1", "" + this.target, "", "0", "5000", "KEYS"));
			words.addAll(List.of(records));
			cluster.at(this.source).admin().command("MIGRATE", words.toArray(String[]::new));
		}

		void moveRest() {
			move(this.used.toArray(String[]::new));
		}

		/* Notifies the nodes in the same order as a reshard. */
		void settle() {
			String owner = id(this.target);
			cluster.at(this.target).admin().command("CLUSTER", "SETSLOT", this.slot, "NODE", owner);
			cluster.at(this.source).admin().command("CLUSTER", "SETSLOT", this.slot, "NODE", owner);
		}

		private static String id(int port) {
			return cluster.at(port).admin().text("CLUSTER", "MYID");
		}

	}

}
