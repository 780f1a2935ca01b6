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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a lease that the store confirms before the next caller gets it, and for
 * changes until the answer arrives.
 */
class ConfirmedHandOffTests extends TwoInstances {

	private static final LockRequest FIXED = FOREVER.withLease(Lease.fixed(Duration.ofSeconds(3)));

	/* The maximum age of a confirmation. */
	private static final Duration FRESH = Duration.ofMillis(250);

	/* How long the holder of the fixed lease may rely on it. */
	private static final Duration VALID = Duration.ofMillis(2_970);

	@Test
	void handOffNeedsNewConfirmationAfterQuarterSecond() {
		LockHandle first = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> third = this.firstInstance.ask(FOREVER);
		// The lease was granted while there was only one caller, so it has one token.
		first.close();
		this.store.commands.clear();
		this.ticker.advance(FRESH);
		second.join().close();
		assertThat(third).isCompleted();
		assertThat(this.store.commands).isEmpty();
		CompletableFuture<LockHandle> last = this.firstInstance.ask(FOREVER);
		this.ticker.advance(Duration.ofNanos(1));
		third.join().close();
		assertThat(last).isCompleted();
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void handOffConfirmsAgainOnlyIfRemainingWaiterNeedsOtherLease(boolean another) {
		List<CompletableFuture<LockHandle>> waiting = askAndConfirm(another ? FIXED : FOREVER, FOREVER);
		waiting.get(0).cancel(false);
		this.store.deliver();
		assertThat(waiting.get(1).join().remaining()).isEqualTo(Duration.ofMillis(24_700));
		Duration lease = Duration.ofSeconds(30);
		assertThat(this.store.sent(RenewCommand.class)).extracting(RenewCommand::lease)
			.isEqualTo(another ? List.of(Duration.ofSeconds(3), lease) : List.of(lease));
		assertThat(this.store.commands).hasOnlyElementsOfType(RenewCommand.class);
	}

	@Test
	void confirmationAtEndOfLeaseIsDiscardedAndLeaseRequestedAgain() {
		CompletableFuture<LockHandle> waiting = askAndConfirm(FIXED).get(0);
		this.ticker.advance(VALID);
		this.store.deliver();
		assertAskedAfresh();
		assertThat(waiting.join().remaining()).isEqualTo(VALID);
	}

	private void assertAskedAfresh() {
		assertThat(this.store.commands).hasExactlyElementsOfTypes(RenewCommand.class, ReleaseCommand.class,
				AcquireCommand.class);
	}

	@Test
	void confirmationJustBeforeEndOfLeaseIsUsedForHandOff() {
		CompletableFuture<LockHandle> waiting = askAndConfirm(FIXED).get(0);
		this.ticker.advance(VALID.minusNanos(1));
		this.store.deliver();
		assertThat(this.store.commands).as("commands: the confirmation only").hasSize(1);
		assertThat(waiting.join().remaining()).isEqualTo(Duration.ofNanos(1));
	}

	@Test
	void callerGetsNewLeaseWhenConfirmationOfIdleLeaseIsLate() {
		TestEngine lingering = engine(LINGERING);
		lingering.ask(FOREVER).join().close();
		this.store.commands.clear();
		this.store.hold = true;
		CompletableFuture<LockHandle> asked = lingering.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(1))));
		this.ticker.advance(Duration.ofSeconds(1));
		this.store.deliver();
		assertThat(asked.join().isHeld()).as("'asked.join' is held").isTrue();
		assertAskedAfresh();
	}

	@Test
	void lostLeaseLeavesNoKeyWhenLastWaiterGivesUpDuringConfirmation() {
		LockHandle holder = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		StoreFaults.forget(this.memory, KEY);
		this.ticker.advance(FRESH.plus(TestEngine.TICK));
		this.store.hold = true;
		CompletableFuture<Void> closed = holder.closeAsync();
		waiting.cancel(false);
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.firstInstance.events.heard).contains("lost: GONE");
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void leaseIsReleasedWhenConfirmationBringsNoTokens() {
		ScriptedStore mean = new ScriptedStore(this.memory) {
			@Override
			public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
				return super.renew(commands).stream()
					.<CompletionStage<RenewAnswer>>map(
							(answer) -> answer.thenApply((renewed) -> new RenewAnswer.Renewed(false, null)))
					.toList();
			}
		};
		TestEngine test = engine(SETTINGS, mean, this.memory);
		LockHandle first = test.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = test.ask(FOREVER);
		first.close();
		assertThat(mean.commands).hasExactlyElementsOfTypes(AcquireCommand.class, RenewCommand.class,
				ReleaseCommand.class, AcquireCommand.class);
		assertThat(second.join().fencingToken()).isGreaterThan(first.fencingToken());
	}

	@Test
	void releaseUnderMinHoldTimeQueuesNoPlaceForLocalWaiters() {
		LockHandle holder = this.firstInstance.ask(FOREVER.withMinHoldTime(Duration.ofSeconds(2))).join();
		CompletableFuture<LockHandle> here = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(1));
		holder.close();
		ReleaseCommand release = this.store.sent(ReleaseCommand.class).get(0);
		assertThat(release.keep()).isEqualTo(Duration.ofSeconds(1));
		assertThat(release.requeue()).isNull();
		assertThat(here).isNotDone();
		assertThat(elsewhere).isNotDone();
		TestEngine.pass(Duration.ofMillis(1_100), this.firstInstance, this.secondInstance);
		elsewhere.join().close();
		assertThat(here).isCompleted();
	}

	/*
	 * The holder has closed the lease, and the store is asked to confirm it for the first
	 * of these callers.
	 */
	private List<CompletableFuture<LockHandle>> askAndConfirm(LockRequest... requests) {
		LockHandle alone = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> holder = this.firstInstance.ask(FOREVER);
		List<CompletableFuture<LockHandle>> waiting = List.of(requests).stream().map(this.firstInstance::ask).toList();
		// The lease that follows has a block of tokens.
		alone.close();
		this.ticker.advance(FRESH.plus(TestEngine.TICK));
		this.store.commands.clear();
		this.store.hold = true;
		var unused = holder.join().closeAsync();
		assertThat(this.store.commands).singleElement().isInstanceOf(RenewCommand.class);
		return waiting;
	}

}
