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
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An attempt that the store calls over, though nobody here knew: who waits goes on with
 * another one.
 */
class EndedAttemptTests extends TwoInstances {

	private static final LockRequest ORDERS = LockRequest.of("orders").withWaitTime(Duration.ofMinutes(10));

	@Test
	void whoWaitsOutlivesAGrantThatNobodyHeardOf() {
		LockHandle held = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(ORDERS);
		this.store.loseAnswers = true;
		held.close();
		assertThat(this.other.engine.find(LockKey.of("orders"))).isPresent();
		this.store.loseAnswers = false;
		this.store.down = true;
		TestEngine.pass(Duration.ofSeconds(40), this.test, this.other);
		assertThat(waiting).isNotDone();
		this.store.down = false;
		TestEngine.pass(Duration.ofSeconds(3), this.test, this.other);
		assertThat(waiting.join().isHeld()).isTrue();
		assertThat(this.test.events.heard).containsExactly("acquired");
	}

	@Test
	void whoWaitsOutlivesAGrantThatWasForcedBeforeItWasHeardOf() {
		LockHandle held = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> waiting = this.test.ask(ORDERS);
		this.store.hold = true;
		held.close();
		assertThat(this.other.engine.forceRelease(LockKey.of("orders"))).isTrue();
		this.store.deliver();
		assertThat(waiting.join().isHeld()).isTrue();
		assertThat(this.memory.find(LockKey.of("orders"), Duration.ofSeconds(1))
			.toCompletableFuture()
			.join()
			.get(0)
			.token()).isEqualTo(waiting.join().fencingToken());
	}

}
