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
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases whose answer nobody waits for.
 */
@Timeout(5)
class UnawaitedReleaseTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final EngineSettings USUAL = EngineSettings.of("test");

	private static final LockRequest ONCE = LockRequest.of(KEY).withWaitTime(Duration.ZERO);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, InstantSource.system());

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = new TestEngine(
			new EngineSettings(USUAL.instanceName(), USUAL.leaseTime(), USUAL.waitTime(), USUAL.pollInterval(),
					USUAL.limits(), null, null, USUAL.onLoss(), false),
			this.ticker, this.store, this.memory, this.memory, Runnable::run);

	private LockHandle handle;

	@BeforeEach
	void acquire() {
		this.handle = this.test.ask(ONCE).join();
		this.store.commands.clear();
	}

	@Test
	void closeReturnsWhileTheAnswerIsUnderWay() {
		this.store.hold = true;
		this.handle.close();
		assertThat(this.handle.isHeld()).isFalse();
		assertThat(this.store.commands).singleElement().isInstanceOf(ReleaseCommand.class);
		assertThat(this.test.events.count("released")).isZero();
		this.store.deliver();
		assertThat(this.test.events.count("released")).isOne();
		assertThat(this.test.keys()).isZero();
	}

	@Test
	void theNextAcquireIsSentBehindIt() {
		this.store.hold = true;
		this.handle.close();
		CompletableFuture<LockHandle> next = this.test.ask(ONCE);
		assertThat(this.store.commands).extracting(Object::getClass)
			.containsExactly(ReleaseCommand.class, AcquireCommand.class);
		this.store.deliver();
		assertThat(next.join().isHeld()).isTrue();
	}

	@Test
	void aFailureIsToldAndMadeGood() {
		this.store.down = true;
		this.handle.close();
		assertThat(this.test.events.count("release failed: LockStoreException")).isOne();
		this.store.down = false;
		assertThat(this.test.engine.find(KEY)).isPresent();
		this.test.pass(Duration.ofMillis(100));
		assertThat(this.test.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.count("release repeated: DONE")).isOne();
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	@Test
	void shutdownWaitsForWhatIsUnderWay() {
		this.store.hold = true;
		this.handle.close();
		CompletionStage<Void> drained = this.test.engine.stop();
		assertThat(drained.toCompletableFuture()).isNotDone();
		this.store.deliver();
		assertThat(drained.toCompletableFuture()).isCompleted();
	}

	@Test
	void closeAsyncStillTellsWhenItIsDone() {
		this.store.hold = true;
		CompletableFuture<Void> closed = this.handle.closeAsync();
		assertThat(closed).isNotDone();
		this.store.deliver();
		assertThat(closed).isCompleted();
	}

}
