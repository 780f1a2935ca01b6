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

package io.github.watchdoglock.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockStoreException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LoadRound}, {@link LoadedEngine} and {@link LoadResult}.
 */
class LoadRoundTests {

	private static final Duration LENGTH = Duration.ofMillis(200);

	@Test
	void heldLocksAreRenewedDuringRoundWithOneKey() throws InterruptedException {
		LoadedEngine engine = LoadedEngine.alone();
		engine.hold(20, Duration.ofSeconds(3));
		LoadResult result = measure(Entrance.of(engine.locks()), false, engine.probe(), Duration.ofMillis(1200));
		assertThat(result.perSecond()).isPositive();
		assertThat(result.bytes()).isPositive();
		assertThat(result.lateMillis()).isPositive();
		assertThat(engine.held()).hasSize(20).allMatch((handle) -> handle.isHeld());
	}

	@Test
	void callersWithOwnKeysCompleteRoundWithoutFailures() throws InterruptedException {
		LoadResult result = measure(Entrance.of(LoadedEngine.alone().locks()), true, new LoadProbe(), LENGTH);
		assertThat(result.callers()).isEqualTo(8);
		assertThat(result.perSecond()).isPositive();
		assertThat(result.failures()).isZero();
	}

	@Test
	void checkFailsWhenTwoCallersHoldLock() {
		AtomicInteger holder = new AtomicInteger();
		LoadRound.check(holder, 1);
		holder.set(2);
		assertThatIllegalStateException().isThrownBy(() -> LoadRound.check(holder, 3))
			.withMessage("Caller 3 got the lock while another one was still inside");
	}

	@Test
	void callerThatFailsUnexpectedlyFailsTheRound() {
		Entrance open = (work) -> {
			work.run();
			throw new IllegalStateException("Not a failure of the store");
		};
		assertThatIllegalStateException().isThrownBy(() -> measure((key) -> open, false, new LoadProbe(), LENGTH))
			.withMessage("A caller failed")
			.withCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void failuresOfTheStoreAreCounted() throws InterruptedException {
		ReentrantLock lock = new ReentrantLock(true);
		AtomicInteger count = new AtomicInteger();
		Entrance unsure = (work) -> {
			lock.lock();
			try {
				if (count.incrementAndGet() == 5) {
					throw new LockStoreException("no answer", null);
				}
				work.run();
			}
			finally {
				lock.unlock();
			}
		};
		assertThat(measure((key) -> unsure, false, new LoadProbe(), LENGTH).failures()).isOne();
	}

	@Test
	void parsedResultEqualsWrittenResult() {
		LoadResult result = new LoadResult(32, 1234.5, 870.25, 0.125, 3);
		assertThat(LoadResult.isLine(result.line())).isTrue();
		assertThat(LoadResult.parse(result.line())).isEqualTo(result);
		assertThat(LoadResult.isLine("ROUNDABOUT")).isFalse();
	}

	private static LoadResult measure(Entrance.Source entrances, boolean ownKeys, LoadProbe probe, Duration length)
			throws InterruptedException {
		return LoadRound.measure(entrances, ownKeys, LoadThreads.PLATFORM, 8, length, probe);
	}

}
