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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an error in a task of a key: what it ends, depending on the state of the key.
 * {@link CrashOnlyTests} throws errors everywhere; here the error occurs between two
 * tasks.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class KeyErrorTests extends TwoInstances {

	@Test
	void heldLeaseIsNeitherRenewedNorReleasedAfterErrorAndExpires() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		crash();
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(handle.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.FAILED);
		assertThat(waiting.handle((lock, failure) -> failure).join()).isInstanceOf(LockStoreException.class)
			.hasRootCauseMessage("made up");
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(FOREVER);
		handle.close();
		assertServedAfter(elsewhere, Duration.ofSeconds(29), Duration.ofSeconds(2));
		assertThat(this.store.count(RenewCommand.class) + this.store.count(ReleaseCommand.class))
			.as("renewals and releases after the error")
			.isZero();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void readerLeaseExpiresAfterErrorWhileOneReaderIsOpen() {
		LockHandle open = this.firstInstance.ask(READ).join();
		this.firstInstance.ask(READ).join().close();
		crash();
		assertThat(open.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.FAILED);
		assertServedAfter(this.secondInstance.ask(FOREVER), Duration.ofSeconds(29), Duration.ofSeconds(2));
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
	}

	@Test
	void minHoldTimeIsKeptAfterErrorDuringRelease() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(9))).join();
		this.store.hold = true;
		handle.closeAsync();
		crash();
		this.store.deliver();
		assertServedAfter(this.secondInstance.ask(FOREVER), Duration.ofSeconds(8), Duration.ofSeconds(2));
	}

	@Test
	void closedLeaseIsReleasedAfterPendingRenewalDespiteError() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		handle.closeAsync();
		crash();
		this.store.deliver();
		TestEngine.pass(Duration.ofSeconds(3), this.firstInstance, this.secondInstance);
		this.store.deliver();
		assertThat(this.secondInstance.ask(ONCE)).isCompleted();
	}

	/* Fails twice, because an end that failed is repeated. */
	private void crash() {
		LocalLock lock = this.firstInstance.lock(KEY);
		for (int i = 0; i < 2; i++) {
			lock.run(() -> {
				throw new OutOfMemoryError("made up");
			});
		}
		this.firstInstance.turn();
	}

}
