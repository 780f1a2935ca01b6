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

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Lifecycle}.
 */
class LifecycleTests {

	private final Lifecycle lifecycle = new Lifecycle();

	@Test
	void isOpenUntilStoppedAgainWhenStartedAndNeverOnceClosed() {
		assertThat(this.lifecycle.isOpen()).isTrue();
		this.lifecycle.stop();
		assertThat(this.lifecycle.isOpen()).isFalse();
		this.lifecycle.start();
		assertThat(this.lifecycle.isOpen()).isTrue();
		this.lifecycle.close();
		this.lifecycle.start();
		assertThat(this.lifecycle.isOpen()).isFalse();
		this.lifecycle.stop();
		this.lifecycle.start();
		assertThat(this.lifecycle.isOpen()).isFalse();
	}

	@Test
	void isEmptyWhenAllThatHasBegunHasEnded() {
		assertThat(empty()).isCompleted();
		this.lifecycle.begin();
		this.lifecycle.begin();
		CompletableFuture<Void> empty = empty();
		this.lifecycle.end();
		assertThat(empty).isNotDone();
		this.lifecycle.end();
		assertThat(empty).isCompleted();
		this.lifecycle.begin();
		assertThat(empty()).isNotDone();
		this.lifecycle.end();
		assertThat(empty()).isCompleted();
	}

	@Test
	void allWhoWaitForTheEndOfWhatIsHeldAreNotified() {
		this.lifecycle.begin();
		this.lifecycle.begin();
		CompletableFuture<Void> first = empty();
		CompletableFuture<Void> second = empty();
		this.lifecycle.end();
		assertThat(first).isNotDone();
		assertThat(second).isNotDone();
		this.lifecycle.end();
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	private CompletableFuture<Void> empty() {
		return this.lifecycle.whenEmpty().toCompletableFuture();
	}

}
