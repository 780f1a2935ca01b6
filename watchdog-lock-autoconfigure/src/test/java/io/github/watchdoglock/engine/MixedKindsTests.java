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
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the notification that other instances use a key of this engine with another
 * kind of lock.
 */
class MixedKindsTests {

	private static final Duration BRIEF = Duration.ofMillis(50);

	private final InMemoryLeaseStore store = RunningEngine.newStore();

	private final List<String> heard = new CopyOnWriteArrayList<>();

	private final List<LockEngine> engines = new ArrayList<>();

	private final List<LockHandle> handles = new ArrayList<>();

	@AfterEach
	void close() {
		this.handles.forEach(LockHandle::close);
		this.engines.forEach(LockEngine::close);
	}

	@Test
	void differentNumberOfPermitsIsReportedByBothInstances() throws Exception {
		LockEngine old = engine("old");
		LockEngine young = engine("young");
		LockRequest two = LockRequest.of("export", "1").withPermits(2).withWaitTime(BRIEF);
		take(old, two);
		take(old, two);
		assertThat(this.heard).isEmpty();
		assertThat(young.tryAcquire(two)).isEmpty();
		assertThat(this.heard).isEmpty();
		take(young, two.withPermits(3));
		assertThat(this.heard).containsOnly("young: export has 3 permits, and 2");
		assertThat(old.tryAcquire(two)).isEmpty();
		assertThat(this.heard).contains("old: export has 2 permits, and 3");
		LockState state = old.find(two.key()).orElseThrow();
		assertThat(state.permits()).containsExactly(2, 3);
		assertThat(state.mode()).isEqualTo(LockSnapshot.Mode.PERMIT);
		assertThat(state.holders()).as("as('holders of the key, of both instances'): 3").isEqualTo(3);
		assertThat(young.holders(two.key())).extracting(LockState::permits)
			.containsExactly(List.of(2), List.of(2), List.of(3));
	}

	@Test
	void limitOfReadersIsReportedWhenOtherInstanceCannotJoin() throws Exception {
		LockEngine engine = engine("engine");
		LockRequest reading = LockRequest.of("catalog").withMode(LockMode.READ).withWaitTime(BRIEF);
		for (int i = 0; i < 64; i++) {
			take(engine, reading.withLease(Lease.renewed(Duration.ofSeconds(30 + i))));
		}
		assertThat(engine.find(reading.key()).orElseThrow().holders()).isEqualTo(64);
		assertThat(this.heard).isEmpty();
		take(engine, reading);
		assertThat(this.heard).isEmpty();
		assertThat(engine("other").tryAcquire(reading)).isEmpty();
		assertThat(this.heard).containsOnly("other: catalog is read by 64");
	}

	private void take(LockEngine engine, LockRequest request) throws InterruptedException {
		this.handles.add(engine.acquire(request).detach());
	}

	private LockEngine engine(String name) {
		LockEngine engine = new LockEngine(EngineSettings.of(name), this.store, this.store, this.store,
				new EngineObserver() {

					@Override
					public void permitsDiffer(LockKey key, int permits, int others) {
						MixedKindsTests.this.heard
							.add(name + ": " + key.name() + " has " + permits + " permits, and " + others);
					}

					@Override
					public void readersFull(LockKey key, int readers) {
						MixedKindsTests.this.heard.add(name + ": " + key.name() + " is read by " + readers);
					}

				});
		this.engines.add(engine);
		return engine;
	}

}
