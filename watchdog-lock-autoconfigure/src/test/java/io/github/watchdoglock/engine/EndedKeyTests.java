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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an error in a task of a key ends, by what the key had. {@link CrashOnlyTests}
 * throws errors everywhere; here the error comes between two tasks.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class EndedKeyTests {

	private static final LockRequest LOCK = LockRequest.of("orders", "42");

	private static final LockRequest WAITING = LOCK.withWaitTime(Duration.ofSeconds(60));

	private static final LockRequest IDLE = LockRequest.of("idle", "42");

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = new TestEngine(
			EngineSettings.of("test")
				.withLinger(new EngineSettings.LingerRules(Duration.ZERO, Map.of("idle", Duration.ofSeconds(20)))),
			this.ticker, this.store, this.memory, this.memory, Runnable::run);

	private final TestEngine other = TestEngine.over(this.ticker, this.memory);

	@Test
	void leaseOfAHolderIsNeitherRenewedNorReleasedAndExpires() {
		LockHandle handle = this.test.ask(LOCK).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(WAITING);
		crash(LOCK);
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.FAILED);
		assertThat(waiting.handle((lock, failure) -> failure).join()).isInstanceOf(LockStoreException.class)
			.hasRootCauseMessage("made up");
		CompletableFuture<LockHandle> elsewhere = this.other.ask(WAITING);
		handle.close();
		TestEngine.pass(Duration.ofSeconds(29), this.test, this.other);
		assertThat(elsewhere).isNotDone();
		assertThat(this.store.count(RenewCommand.class) + this.store.count(ReleaseCommand.class)).isZero();
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		assertThat(elsewhere).isCompleted();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void leaseOfReadersExpiresAsLongAsOneOfThemIsOpen() {
		LockRequest read = LOCK.withMode(LockMode.READ);
		LockHandle open = this.test.ask(read).join();
		LockHandle closed = this.test.ask(read).join();
		closed.close();
		crash(LOCK);
		assertThat(open.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.FAILED);
		CompletableFuture<LockHandle> elsewhere = this.other.ask(WAITING);
		TestEngine.pass(Duration.ofSeconds(29), this.test, this.other);
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		assertThat(elsewhere).isNotDone();
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void idleLeaseIsReleased() {
		this.test.ask(IDLE).join().close();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		assertThat(this.test.engine.idle()).hasSize(1);
		crash(IDLE);
		assertThat(this.test.engine.idle()).isEmpty();
		assertThat(this.other.ask(IDLE.withWaitTime(Duration.ZERO))).isCompleted();
	}

	@Test
	void attemptIsReleasedOnceItsAnswerIsThere() {
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = this.test.ask(LOCK);
		crash(LOCK);
		assertThat(asked).isCompletedExceptionally();
		this.store.deliver();
		assertThat(this.other.ask(LOCK.withWaitTime(Duration.ZERO))).isCompleted();
	}

	@Test
	void futureOfAReleaseThatIsUnderWayIsCompleted() {
		LockHandle handle = this.test.ask(LOCK).join();
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(closed).isNotDone();
		crash(LOCK);
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.other.ask(LOCK.withWaitTime(Duration.ZERO))).isCompleted();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void minimumHoldTimeIsKept() {
		LockHandle handle = this.test.ask(LOCK.withMinHoldTime(Duration.ofSeconds(9))).join();
		this.store.hold = true;
		handle.closeAsync();
		crash(LOCK);
		this.store.deliver();
		CompletableFuture<LockHandle> elsewhere = this.other.ask(WAITING);
		TestEngine.pass(Duration.ofSeconds(8), this.test, this.other);
		assertThat(elsewhere).isNotDone();
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void leaseIsReleasedBehindTheRenewalThatIsUnderWay() {
		LockHandle handle = this.test.ask(LOCK).join();
		this.store.hold = true;
		while (this.store.count(RenewCommand.class) == 0) {
			TestEngine.pass(TestEngine.TICK, this.test, this.other);
		}
		handle.closeAsync();
		crash(LOCK);
		this.store.deliver();
		TestEngine.pass(Duration.ofSeconds(3), this.test, this.other);
		this.store.deliver();
		assertThat(this.other.ask(LOCK.withWaitTime(Duration.ZERO))).isCompleted();
	}

	/* Twice, since an end that failed is repeated. */
	@SuppressWarnings("unchecked")
	private void crash(LockRequest request) {
		Map<LockKey, LocalLock> locks = (Map<LockKey, LocalLock>) Objects
			.requireNonNull(ReflectionTestUtils.getField(this.test.engine.registry, "locks"));
		LocalLock lock = Objects.requireNonNull(locks.get(request.key()));
		for (int i = 0; i < 2; i++) {
			lock.run(() -> {
				throw new OutOfMemoryError("made up");
			});
		}
		this.test.turn();
	}

}
