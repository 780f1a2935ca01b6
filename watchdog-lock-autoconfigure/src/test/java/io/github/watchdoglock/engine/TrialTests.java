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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.NoWakeUps;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The moment for which those who do not wait stay behind an instance that may keep the
 * key idle, and does not answer.
 */
class TrialTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ONCE = LockRequest.of(KEY).withWaitTime(Duration.ZERO);

	private static final LockRequest FOREVER = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private static final Duration MOMENT = Duration.ofMillis(100);

	private final FailingTicker ticker = new FailingTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = new TestEngine(this.ticker, this.store, this.memory, this.memory);

	private final TestEngine deaf = new TestEngine(
			EngineSettings.of("deaf").withLinger(new EngineSettings.LingerRules(Duration.ofSeconds(30), Map.of())),
			this.ticker, this.memory, this.memory, new NoWakeUps(), Runnable::run);

	@Test
	void isOverAtItsVeryEnd() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.test.pass(MOMENT.minus(TestEngine.TICK));
		assertThat(tried).isNotDone();
		this.test.pass(TestEngine.TICK);
		assertRefused(tried);
		nothingIsLeft();
	}

	@Test
	void isOverWithAnAnswerThatComesAtItsVeryEnd() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.test.pass(MOMENT.dividedBy(2));
		this.store.hold = true;
		hint();
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		this.test.pass(MOMENT.dividedBy(2));
		assertThat(tried).isNotDone();
		this.store.deliver();
		assertRefused(tried);
		nothingIsLeft();
	}

	@Test
	void goesOnAfterAnAnswerThatComesBefore() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.store.hold = true;
		hint();
		this.test.pass(MOMENT.minus(TestEngine.TICK));
		this.store.deliver();
		assertThat(tried).isNotDone();
		this.test.pass(TestEngine.TICK);
		assertRefused(tried);
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		nothingIsLeft();
	}

	@Test
	void hasTheStoreAskedAgainWhereAHintCameBeforeTheAnswer() {
		this.store.hold = true;
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		hint();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		this.store.deliver();
		assertThat(this.store.count(AcquireCommand.class)).isEqualTo(2);
		assertThat(tried).isNotDone();
		this.test.pass(MOMENT);
		assertRefused(tried);
	}

	@Test
	void isOverWhenTheKeyIsSaidToBeInUse() {
		CompletableFuture<LockHandle> tried = tryBehindAnIdleOne();
		this.test.engine.registry.inUse(KEY, last().attempt());
		assertRefused(tried);
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		nothingIsLeft();
	}

	@Test
	void isNotWhatSomebodyIsInWhoWaits() {
		this.deaf.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(FOREVER);
		this.test.engine.registry.inUse(KEY, last().attempt());
		assertThat(waiting).isNotDone();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
	}

	private CompletableFuture<LockHandle> tryBehindAnIdleOne() {
		this.deaf.ask(FOREVER).join().close();
		return this.test.ask(ONCE);
	}

	/* The key may be reserved for who tries; it is not. */
	private void hint() {
		this.test.engine.registry.granted(KEY, last().attempt());
	}

	private AcquireCommand last() {
		return this.store.sent(AcquireCommand.class).get((int) this.store.count(AcquireCommand.class) - 1);
	}

	private static void assertRefused(CompletableFuture<LockHandle> tried) {
		assertThat(tried).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	private void nothingIsLeft() {
		assertThat(this.test.engine.find(KEY).orElseThrow().waiting()).isZero();
		assertThat(this.test.keys()).isZero();
		assertThat(this.test.pendingAlarms()).isZero();
	}

}
