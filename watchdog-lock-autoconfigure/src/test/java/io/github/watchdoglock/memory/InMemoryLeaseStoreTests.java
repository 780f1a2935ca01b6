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

package io.github.watchdoglock.memory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStoreContract;
import io.github.watchdoglock.store.WakeUps;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryLeaseStore}.
 */
class InMemoryLeaseStoreTests extends LeaseStoreContract {

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(1).toNanos());

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.nanos::get, InstantSource.system());

	@Test
	void expiredKeysAreRemovedByLaterCommands() {
		for (int i = 0; i < 1_000; i++) {
			LockKey swept = LockKey.of("swept", Integer.toString(i));
			this.store.acquire(new AcquireCommand(swept, this.a, "holder", LEASE, 1, false, POLL, false, LEASE));
		}
		assertThat(this.store.keys).hasSize(1_000);
		pass(Duration.ofMinutes(11));
		for (int i = 0; i < 502; i++) {
			find();
		}
		assertThat(this.store.keys).as("expired keys left after 502 commands").isEmpty();
	}

	@Test
	void tokenGrowsWhenClockGoesBackwards() {
		AtomicLong millis = new AtomicLong(1_000_000);
		InMemoryLeaseStore backwards = new InMemoryLeaseStore(this.nanos::get,
				() -> java.time.Instant.ofEpochMilli(millis.getAndAdd(-1_000)));
		AcquireAnswer.Granted first = granted(join(backwards.acquire(command(this.a, LEASE, POLL))));
		StoreFaults.expireLease(backwards, this.key);
		AcquireAnswer.Granted second = granted(join(backwards.acquire(command(this.b, LEASE, POLL))));
		assertThat(second.block().first()).isEqualTo(first.block().last() + 1);
	}

	@Test
	void unsubscribedInstanceReceivesNoHints() {
		HintRecorder hints = listen(this.a);
		this.store.unsubscribe(this.a.instance());
		acquire(this.a);
		force();
		listen(this.a);
		acquire(this.a);
		acquire(this.b);
		assertThat(hints).extracting("hints")
			.asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
			.isEmpty();
	}

	@Override
	protected LeaseStore store() {
		return this.store;
	}

	@Test
	void leaseOfACenturyExcludesOthers() {
		granted(acquire(this.a, Duration.ofDays(36_500)));
		busy(acquire(this.b));
	}

	@Override
	protected LeaseInspector inspector() {
		return this.store;
	}

	@Override
	protected WakeUps wakeUps() {
		return this.store;
	}

	@Override
	protected void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Override
	protected void expireLease(LockKey key) {
		StoreFaults.expireLease(this.store, key);
	}

	/* The keys are in the same bin, in case the store's map locks bins. */
	@Test
	void commandsOfDifferentKeysDoNotWaitForEachOther() throws Exception {
		LockKey slow = LockKey.of("Aa");
		LockKey other = LockKey.of("BB");
		assertThat(slow.hashCode()).isEqualTo(other.hashCode());
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch gate = new CountDownLatch(1);
		AtomicBoolean blocking = new AtomicBoolean();
		InMemoryLeaseStore store = new InMemoryLeaseStore(() -> {
			if (blocking.compareAndSet(true, false)) {
				begun.countDown();
				awaitUninterruptibly(gate);
			}
			return 0;
		}, InstantSource.system());
		store.find(slow, Duration.ofSeconds(1));
		blocking.set(true);
		Executor threads = (task) -> new Thread(task).start();
		CompletableFuture<Void> held = CompletableFuture.runAsync(() -> store.find(slow, Duration.ofSeconds(1)),
				threads);
		try {
			begun.await();
			assertThat(CompletableFuture.runAsync(() -> store.find(other, Duration.ofSeconds(1)), threads))
				.succeedsWithin(Duration.ofSeconds(10));
			assertThat(held).isNotDone();
		}
		finally {
			gate.countDown();
		}
		assertThat(held).succeedsWithin(Duration.ofSeconds(10));
	}

	private static void awaitUninterruptibly(CountDownLatch gate) {
		try {
			gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
