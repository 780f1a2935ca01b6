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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.settings.EngineSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What all keys of an engine share, where several threads come at the same moment.
 */
class SharedStateTests {

	private final IdleGrants grants = new IdleGrants(EngineSettings.LingerRules.OFF);

	private final List<String> alone = new ArrayList<>();

	@Test
	void whoChangesWhatIsIdleDoesSoAlone() throws InterruptedException {
		Entry entry = new Entry();
		entry.check = () -> {
			// The same thread would be within twice.
			assertThatIllegalStateException().isThrownBy(this.grants::list);
			this.alone.add("alone");
		};
		this.grants.add(entry);
		assertThat(this.grants.contains(entry)).isTrue();
		this.grants.remove(entry);
		assertThat(this.alone).hasSize(3);
		assertThat(this.grants.list()).isEmpty();
	}

	@Test
	void whoListsWhatIsIdleWaitsForWhoChangesIt() throws InterruptedException {
		AtomicBoolean listed = new AtomicBoolean();
		Thread other = new Thread(() -> {
			this.grants.list();
			listed.set(true);
		});
		Entry entry = new Entry();
		entry.check = () -> {
			other.start();
			try {
				other.join(20);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.alone.add(listed.get() ? "together" : "alone");
		};
		this.grants.add(entry);
		other.join(5_000);
		assertThat(listed).isTrue();
		assertThat(this.alone).containsExactly("alone");
	}

	@Test
	void allWhoWaitForTheEndOfWhatIsHeldHearOfIt() {
		Lifecycle lifecycle = new Lifecycle();
		lifecycle.begin(1);
		CompletableFuture<Void> first = lifecycle.whenEmpty().toCompletableFuture();
		CompletableFuture<Void> second = lifecycle.whenEmpty().toCompletableFuture();
		lifecycle.begin(1);
		lifecycle.end();
		assertThat(first).isNotDone();
		assertThat(second).isNotDone();
		lifecycle.end();
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
		lifecycle.begin(1);
		assertThat(lifecycle.whenEmpty().toCompletableFuture()).isNotDone();
	}

	/**
	 * Looks around when it is put into a set, or looked for.
	 */
	private static final class Entry implements IdleGrants.Entry {

		private Runnable check = () -> {
		};

		@Override
		public boolean equals(Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			this.check.run();
			return 0;
		}

		@Override
		public void makeRoom() {
		}

		@Override
		public IdleLock describe() {
			throw new UnsupportedOperationException();
		}

	}

}
