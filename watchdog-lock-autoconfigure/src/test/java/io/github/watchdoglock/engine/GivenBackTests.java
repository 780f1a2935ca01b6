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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How what was taken of several locks is given back where one is not to be had.
 */
class GivenBackTests {

	private static final LockKey A = LockKey.of("accounts", "a");

	private static final LockKey B = LockKey.of("accounts", "b");

	private static final LockKey C = LockKey.of("accounts", "c");

	private final FailingTicker ticker = new FailingTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker::readAnyhow, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	private final TestEngine test = new TestEngine(EngineSettings.of("test"), this.threads, this.ticker, this.store,
			this.memory, this.memory, Runnable::run);

	private final TestEngine other = new TestEngine(this.ticker, this.memory, this.memory, this.memory);

	private @Nullable Runnable whenRefused;

	@AfterEach
	void check() {
		assertThat(this.threads.failures).isEmpty();
	}

	@Test
	void allReleasesAreSentBeforeOneIsWaitedFor() {
		this.whenRefused = () -> this.store.hold = true;
		this.threads.wait = (nanos) -> {
			assertThat(this.store.sent(ReleaseCommand.class)).extracting(ReleaseCommand::key).containsExactly(B, A);
			this.store.deliver();
		};
		acquireInVain();
		assertThat(this.threads.parks).hasSize(1);
		assertAllAreFree();
	}

	@Test
	void allReleasesAreWaitedFor() {
		this.whenRefused = () -> this.store.hold = true;
		acquireInVain();
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(6).toNanos(),
				Duration.ofSeconds(6).toNanos());
		this.store.deliver();
		assertAllAreFree();
	}

	/* The third of them is not to be had. */
	private void acquireInVain() {
		LockHandle taken = this.other.ask(request(C)).join();
		this.test.engine.customizations().instrument(new Instrumentation() {

			@Override
			public Call calling(LockKey key) {
				return new Refused();
			}

		});
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.test.engine.acquireAll(List.of(request(C), request(A), request(B))));
		taken.close();
	}

	private static LockRequest request(LockKey key) {
		return LockRequest.of(key).withWaitTime(Duration.ZERO);
	}

	private void assertAllAreFree() {
		assertThat(this.test.engine.current()).isEmpty();
		assertThat(this.test.keys()).isZero();
		assertThat(List.of(A, B, C)).allMatch(this::isFree);
	}

	private boolean isFree(LockKey key) {
		return this.memory.find(key, Duration.ZERO).toCompletableFuture().join().isEmpty();
	}

	private final class Refused implements Instrumentation.Call {

		@Override
		public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
			Runnable whenRefused = GivenBackTests.this.whenRefused;
			if (whenRefused != null) {
				whenRefused.run();
			}
		}

	}

	/**
	 * Cannot be read so many times.
	 */
	private static final class FailingTicker extends ManualTicker {

		private int failures;

		@Override
		public long read() {
			if (this.failures > 0) {
				this.failures--;
				throw new OutOfMemoryError("on purpose");
			}
			return super.read();
		}

		private long readAnyhow() {
			return super.read();
		}

	}

}
