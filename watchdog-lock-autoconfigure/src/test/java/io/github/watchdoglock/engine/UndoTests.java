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
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for releases whose answer no caller waits for.
 */
class UndoTests extends TwoInstances {

	private final TestEngine quick = engine(new EngineSettings(SETTINGS.instanceName(), SETTINGS.leaseTime(),
			SETTINGS.waitTime(), SETTINGS.pollInterval(), SETTINGS.limits(), null, null, SETTINGS.onLoss(), false));

	private LockHandle handle;

	@BeforeEach
	void take() {
		this.handle = this.quick.ask(ONCE).join();
		this.store.commands.clear();
	}

	@Test
	void closeReturnsBeforeAnswerToReleaseArrives() {
		this.store.hold = true;
		this.handle.close();
		assertThat(this.threads.parks).isEmpty();
		assertThat(this.handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.store.commands).singleElement().isInstanceOf(ReleaseCommand.class);
		assertThat(this.quick.events.count("released")).as("as('releases reported before the answer'): none").isZero();
		this.store.deliver();
		assertThat(this.quick.events.count("released")).isOne();
		this.quick.assertNoKeyInUse();
	}

	@Test
	void nextAttemptIsSentAfterUnansweredRelease() {
		this.store.hold = true;
		this.handle.close();
		CompletableFuture<LockHandle> next = this.quick.ask(ONCE);
		assertThat(this.store.commands).extracting(Object::getClass)
			.containsExactly(ReleaseCommand.class, AcquireCommand.class);
		this.store.deliver();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
	}

	@Test
	void failedReleaseIsReportedAndRepeated() {
		this.store.down = true;
		this.handle.close();
		assertThat(this.quick.events.count("release failed: LockStoreException")).isOne();
		this.store.down = false;
		assertThat(this.quick.engine.find(KEY)).as("as('key in the store after the failed release'): still held")
			.isPresent();
		this.quick.pass(Duration.ofMillis(100));
		assertThat(this.quick.engine.find(KEY)).isEmpty();
		assertThat(this.quick.events.count("release repeated: DONE")).isOne();
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

}
