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
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for acquiring several locks in code.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class AllOrNoneTests extends TwoInstances {

	private static final LockKey A = LockKey.of("accounts", "a");

	private static final LockKey B = LockKey.of("accounts", "b");

	private static final LockKey NAME = LockKey.of("accounts");

	@Test
	void locksAreAcquiredInOrderOfKeysAndReleasedInReverse() throws Exception {
		LockHandles handles = this.firstInstance.engine.acquireAll(List.of(request(B), request(NAME), request(A)));
		assertThat(handles.isHeld()).as("'handles' is held").isTrue();
		assertThat(this.firstInstance.engine.localLocks().current()).extracting(LockHandle::key)
			.containsExactly(NAME, A, B);
		assertThat(handles.get(B).key()).isEqualTo(B);
		CompletableFuture.runAsync(handles::close).get(5, TimeUnit.SECONDS);
		assertThat(handles.isHeld()).as("'handles' is held").isFalse();
		handles.close();
		assertThat(this.store.commands).extracting(AllOrNoneTests::words)
			.containsExactly("acquire accounts", "acquire accounts:a", "acquire accounts:b", "release accounts:b",
					"release accounts:a", "release accounts");
		assertAllAreFree();
	}

	@Test
	void handleLookupFailsForKeyThatWasNotRequested() throws Exception {
		try (LockHandles handles = this.firstInstance.engine.acquireAll(List.of(request(A), request(B)))) {
			assertThatIllegalArgumentException().isThrownBy(() -> handles.get(NAME))
				.withMessage("Lock 'accounts' is not one of the acquired locks: [accounts:a, accounts:b]");
		}
	}

	@Test
	void keyRequestedTwiceIsAcquiredOnce() throws Exception {
		try (LockHandles handles = this.firstInstance.engine.acquireAll(List.of(request(A), request(A)))) {
			assertThat(this.store.count(AcquireCommand.class)).isOne();
			assertThat(handles.get(A).isHeld()).isTrue();
		}
		assertAllAreFree();
	}

	@Test
	void longestMinHoldTimeAppliesToRepeatedKey() throws Exception {
		this.firstInstance.engine
			.acquireAll(List.of(request(A), request(A).withMinHoldTime(Duration.ofMinutes(1)), request(A)))
			.close();
		this.firstInstance.pass(Duration.ofMillis(59_900));
		assertThat(this.secondInstance.engine.find(A)).isPresent();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertAllAreFree();
	}

	@Test
	void shortestMaxHoldTimeAppliesToRepeatedKey() throws Exception {
		try (LockHandles handles = this.firstInstance.engine
			.acquireAll(List.of(request(A), request(A).withMaxHoldTime(Duration.ofSeconds(5)), request(A)))) {
			this.firstInstance.pass(Duration.ofMillis(4_990));
			assertThat(handles.isHeld()).as("'handles' is held").isTrue();
			this.firstInstance.pass(Duration.ofMillis(20));
			assertThat(handles.isHeld()).as("'handles' is held").isFalse();
		}
		assertAllAreFree();
	}

	@Test
	void noLockIsKeptWhenOtherInstanceHoldsOneKey() {
		LockHandle taken = this.secondInstance.ask(request(B)).join();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquireAll(List.of(once(B), once(A), once(NAME))))
			.satisfies((ex) -> {
				assertThat(ex.getKey()).isEqualTo(B);
				assertThat(ex.getWaited()).isZero();
				assertThat(ex).hasMessageEndingWith("the wait time is zero");
			});
		assertThat(taken.isHeld()).as("'taken' is held").isTrue();
		assertThat(this.secondInstance.engine.find(A)).isEmpty();
		assertThat(this.secondInstance.engine.find(NAME)).isEmpty();
		assertThat(this.firstInstance.engine.localLocks().current()).isEmpty();
	}

	@Test
	void handlesAreNotHeldAfterLossOfOneLockAndOtherLockStaysHeld() throws Exception {
		LockHandles handles = this.firstInstance.engine.acquireAll(List.of(request(A), request(B)));
		this.firstInstance.engine.forceRelease(A);
		await().until(() -> !handles.get(A).isHeld());
		assertThat(handles.isHeld()).as("'handles' is held").isFalse();
		assertThat(handles.get(B).isHeld()).isTrue();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquireAll(List.of(request(NAME), request(A))));
		assertThat(this.secondInstance.engine.find(NAME)).isEmpty();
		handles.close();
		assertAllAreFree();
	}

	@Test
	void acquireAllRejectsEmptyListAndMoreThan64Requests() throws Exception {
		assertThatIllegalArgumentException().isThrownBy(() -> this.firstInstance.engine.acquireAll(List.of()))
			.withMessageContaining("'requests' must not be empty");
		assertThatIllegalArgumentException().isThrownBy(() -> this.firstInstance.engine.acquireAll(accounts(65)))
			.withMessageContaining("'requests' has 65 elements, and may have at most 64");
		assertThat(this.store.commands).isEmpty();
		this.firstInstance.engine.acquireAll(accounts(64)).close();
		assertAllAreFree();
	}

	@Test
	void longestWaitTimeIsSharedByAllRequests() {
		LockHandle first = this.secondInstance.ask(request(A)).join();
		LockHandle second = this.secondInstance.ask(request(B)).join();
		this.threads.wait = (nanos) -> {
			this.firstInstance.pass(Duration.ofNanos(Math.min(nanos, Duration.ofSeconds(6).toNanos())));
			first.close();
		};
		List<LockRequest> requests = List.of(once(A), request(B).withWaitTime(Duration.ofSeconds(10)));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquireAll(requests))
			.satisfies((ex) -> {
				assertThat(ex.getKey()).isEqualTo(B);
				assertThat(ex.getWaited()).isEqualTo(Duration.ofSeconds(10));
			});
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(10).toNanos(),
				Duration.ofSeconds(4).toNanos());
		assertThat(this.secondInstance.engine.find(A)).isEmpty();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
	}

	@Test
	void indefiniteWaitOfOneRequestAppliesToAll() throws Exception {
		LockHandle taken = this.secondInstance.ask(request(A)).join();
		this.threads.wait = (nanos) -> {
			TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
			taken.close();
		};
		this.firstInstance.engine.acquireAll(List.of(once(A), request(B).withWaitTime(Duration.ofMillis(-1)))).close();
		assertAllAreFree();
	}

	@Test
	void locksAcquiredSoFarAreReleasedWhenWaitIsInterrupted() {
		LockHandle taken = this.secondInstance.ask(request(B)).join();
		this.threads.wait = (nanos) -> Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquireAll(List.of(request(A), request(B))));
		assertThat(this.secondInstance.engine.find(A)).isEmpty();
		assertThat(this.secondInstance.engine.find(B).orElseThrow().waiting()).isZero();
		assertThat(taken.isHeld()).as("'taken' is held").isTrue();
	}

	@Test
	void releasesAreSentTogetherAndAwaitedWhenOneKeyIsBusy() {
		LockHandle taken = this.secondInstance.ask(request(B)).join();
		this.firstInstance.engine.customizations().instrument(new Instrumentation() {
			@Override
			public Call calling(LockKey key) {
				return new Call() {
					@Override
					public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
						AllOrNoneTests.this.store.hold = true;
					}
				};
			}
		});
		this.threads.wait = (nanos) -> {
			assertThat(this.store.sent(ReleaseCommand.class)).extracting(ReleaseCommand::key).containsExactly(A, NAME);
			this.threads.pass(nanos);
		};
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquireAll(List.of(once(B), once(A), once(NAME))));
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(2).toNanos(),
				Duration.ofSeconds(2).toNanos());
		this.store.deliver();
		taken.close();
		assertAllAreFree();
	}

	private static List<LockRequest> accounts(int count) {
		return IntStream.range(0, count).mapToObj((i) -> LockRequest.of("accounts", "" + i)).toList();
	}

	private static LockRequest request(LockKey key) {
		return LockRequest.of(key);
	}

	private static LockRequest once(LockKey key) {
		return request(key).withWaitTime(Duration.ZERO);
	}

	private static @Nullable String words(Object command) {
		return (command instanceof AcquireCommand acquire) ? "acquire " + acquire.key()
				: (command instanceof ReleaseCommand release) ? "release " + release.key() : null;
	}

	private void assertAllAreFree() {
		this.firstInstance.assertNoKeyInUse();
		assertThat(this.firstInstance.engine.localLocks().current()).isEmpty();
		assertThat(List.of(A, B, NAME)).allSatisfy((key) -> assertThat(this.secondInstance.engine.find(key)).isEmpty());
	}

}
