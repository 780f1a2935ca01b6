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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for releases that one store has carried out, and that its successor has not
 * received.
 */
class ReleaseAfterFailoverTests extends TwoInstances {

	/* A single release is repeated within this time. */
	private static final Duration SOON = Duration.ofMillis(110);

	private boolean moved;

	private final InMemoryLeaseStore former = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	/*
	 * Until the move, the former store answers, and the next one receives all commands
	 * except releases.
	 */
	private final ScriptedStore both = new ScriptedStore(new TwoStores());

	private final TestEngine moving = engine(SETTINGS, this.both, new NoWakeUps());

	@Test
	void releaseIsRepeatedInNewStoreWithoutNotification() {
		this.moving.ask(ORDERS).join().close();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		move(this.moving);
		assertRepeatedSoonAndNobodyHears();
		assertMovedWithoutACommand(this.moving);
	}

	private void assertRepeatedSoonAndNobodyHears() {
		this.moving.pass(SOON);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.moving.events.heard).containsExactly("acquired", "released");
	}

	private void assertMovedWithoutACommand(TestEngine engine) {
		this.both.commands.clear();
		move(engine);
		engine.pass(SOON);
		assertThat(this.both.commands).isEmpty();
	}

	@Test
	void failedReleaseInNewStoreIsRepeatedUntilSuccessful() {
		this.moving.ask(ORDERS).join().close();
		this.both.down = true;
		move(this.moving);
		this.moving.pass(Duration.ofSeconds(10));
		this.both.down = false;
		assertRepeatedSoonAndNobodyHears();
	}

	@Test
	void failedReleaseInNewStoreIsNotRepeatedAfterLeaseEnds() {
		this.moving.ask(ORDERS).join().close();
		this.both.down = true;
		move(this.moving);
		this.moving.pass(Duration.ofSeconds(31));
		this.both.down = false;
		this.both.commands.clear();
		this.moving.pass(Duration.ofSeconds(10));
		assertThat(this.both.commands).isEmpty();
		assertThat(this.moving.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void repeatedReleaseKeepsRestOfMinimumHoldTimeInNewStore() {
		LockHandle handle = this.moving.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(8))).join();
		this.moving.pass(Duration.ofSeconds(2));
		handle.close();
		this.moving.pass(Duration.ofSeconds(1));
		move(this.moving);
		this.both.commands.clear();
		this.moving.pass(SOON);
		assertThat(this.both.sent(ReleaseCommand.class)).singleElement().satisfies((release) -> {
			assertThat(release.keep()).isBetween(Duration.ofMillis(4_880), Duration.ofSeconds(5));
			assertThat(release.lastToken()).isEqualTo(handle.fencingToken());
			assertThat(release.requeue()).isNull();
		});
		assertThat(this.secondInstance.ask(ONCE)).isCompletedExceptionally();
		TestEngine.pass(Duration.ofSeconds(5), this.moving, this.secondInstance);
		assertThat(this.secondInstance.ask(ONCE)).isCompleted();
	}

	@Test
	void releaseIsNotRepeatedWhenLeaseEndedBeforeMove() {
		this.moving.ask(ORDERS).join().close();
		this.moving.pass(Duration.ofSeconds(31));
		assertMovedWithoutACommand(this.moving);
	}

	@Test
	void onlyLastFiveThousandReleasesAreRepeatedInNewStore() {
		List<LockKey> keys = new ArrayList<>();
		for (int i = 0; i < 5_010; i++) {
			LockHandle handle = this.moving.ask(LockRequest.of("orders", "" + i)).join();
			keys.add(handle.key());
			handle.close();
		}
		this.both.commands.clear();
		move(this.moving);
		this.moving.pass(Duration.ofSeconds(3));
		assertThat(this.both.commands).hasSize(5_000);
		assertThat(keys.subList(0, 10)).allMatch((key) -> this.secondInstance.engine.find(key).isPresent());
		assertThat(keys.subList(10, keys.size())).allMatch((key) -> this.secondInstance.engine.find(key).isEmpty());
	}

	private void move(TestEngine engine) {
		this.moved = true;
		engine.reconnect();
	}

	private final class TwoStores implements LeaseStore {

		private LeaseStore current() {
			return ReleaseAfterFailoverTests.this.moved ? ReleaseAfterFailoverTests.this.memory
					: ReleaseAfterFailoverTests.this.former;
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			CompletionStage<AcquireAnswer> there = ReleaseAfterFailoverTests.this.memory.acquire(command);
			return ReleaseAfterFailoverTests.this.moved ? there
					: ReleaseAfterFailoverTests.this.former.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return current().renew(commands);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return current().release(command);
		}

	}

}
