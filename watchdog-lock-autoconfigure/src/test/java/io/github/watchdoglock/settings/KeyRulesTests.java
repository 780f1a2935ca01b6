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

package io.github.watchdoglock.settings;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.Ticker;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KeyRules}: they apply to keys from all sources.
 */
class KeyRulesTests {

	private static final LockRequest LONG = LockRequest.of("orders", "s".repeat(21));

	private static final InMemoryLeaseStore STORE = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final LockEngine engine = new LockEngine(
			EngineSettings.of("test").withKeys(new KeyRules(20, (id) -> "<" + id.length() + ">")), STORE, STORE, STORE);

	@AfterEach
	void close() {
		this.engine.close();
	}

	@ParameterizedTest
	@MethodSource("ways")
	void tooLongIdIsRejectedByEachSynchronousMethod(Way way) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> way.take(this.engine))
			.withMessage("'id' of lock 'orders' has 21 characters, and may have at most 20. Use a shorter id, "
					+ "or raise watchdog-lock.max-id-length");
		assertThat(this.engine.localLocks().list()).isEmpty();
	}

	static Stream<Way> ways() {
		return Stream.of((engine) -> engine.acquire(LONG), (engine) -> engine.tryAcquire(LONG),
				(engine) -> engine.execute(LONG, (handle) -> ""), (engine) -> engine.acquireAll(List.of(LONG)),
				(engine) -> engine.asLock(LONG), (engine) -> engine.find(LONG.key()),
				(engine) -> engine.forceRelease(LONG.key()));
	}

	@Test
	void tooLongIdFailsFutureOfAcquireAsync() {
		assertThat(this.engine.acquireAsync(LONG)).isCompletedExceptionally()
			.failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class);
	}

	@Test
	void idOfMaximumLengthIsAccepted() throws Exception {
		this.engine.acquire(LockRequest.of("orders", "s".repeat(20))).close();
		LockEngine usual = new LockEngine(EngineSettings.of("usual"), STORE, STORE, STORE);
		usual.acquire(LockRequest.of("orders", "s".repeat(512))).close();
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> usual.acquire(LockRequest.of("orders", "s".repeat(513))));
		usual.close();
	}

	@Test
	void keysAppearInTextsAsFormattedByRules() throws Exception {
		LockKey key = LockKey.of("orders", "secret");
		LockEngine open = new LockEngine(EngineSettings.of("open"), STORE, STORE, STORE);
		try (LockHandle handle = this.engine.acquire(LockRequest.of(key))) {
			assertThat(handle.key()).isEqualTo(key).hasToString("orders:<6>");
			assertThat(this.engine.localLocks().list().toString()).contains("orders:<6>").doesNotContain("secret");
			assertThat(this.engine.find(key).orElseThrow().toString()).contains("orders:<6>").doesNotContain("secret");
			LockRequest once = LockRequest.of(handle.key()).withWaitTime(Duration.ZERO);
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> otherThread(() -> this.engine.acquire(once)))
				.withMessageContaining("'orders:<6>'")
				.satisfies((ex) -> assertThat(ex.getKey()).hasToString("orders:<6>"));
			// Another engine of this JVM shows its own keys.
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> open.acquire(once))
				.withMessageContaining("'orders:secret'");
		}
		open.close();
	}

	@Test
	void boundedKeyKeepsFormatOfOriginalKey() {
		LockKey key = LockKey.of("orders", "s".repeat(300)).shownBy((id) -> "<" + id.length() + ">");
		assertThat(KeyRules.bounded(key)).hasToString("orders:<300>");
	}

	@Test
	void controlCharactersInHolderLabelAreReplaced() throws Exception {
		CompletableFuture<LockHandle> future = new CompletableFuture<>();
		Thread thread = new Thread(
				() -> future.completeAsync(() -> this.engine.execute(LockRequest.of("label"), (handle) -> {
					assertThat(this.engine.find(handle.key()).orElseThrow().holder()).isEqualTo("test/a?b?c");
					return handle;
				}), Runnable::run), "a\nb\u202Ec");
		thread.start();
		assertThat(future).succeedsWithin(Duration.ofSeconds(20));
	}

	/* Call on another thread, which has no lock to re-enter. */
	private static void otherThread(ThrowingCallable call) throws Throwable {
		Throwable[] failure = new Throwable[1];
		Thread thread = new Thread(() -> {
			try {
				call.call();
			}
			catch (Throwable ex) {
				failure[0] = ex;
			}
		});
		thread.start();
		thread.join();
		if (failure[0] != null) {
			throw failure[0];
		}
	}

	@FunctionalInterface
	interface Way {

		void take(LockEngine engine) throws Exception;

	}

}
