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
import java.util.Map;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdleLeases}.
 */
class IdleLeasesTests {

	private static final LockKey KEY = LockKey.of("orders");

	private final IdleLeases grants = new IdleLeases(
			new EngineSettings.LingerRules(Duration.ofNanos(7), Map.of("other", Duration.ZERO)));

	@Test
	void onlyWhatIsRenewedAndHasNoMinimumIsKept() {
		LeaseTiming renewed = LeaseTiming.of(Lease.renewed(Duration.ofSeconds(3)), EngineSettings.of("test"));
		LeaseTiming fixed = LeaseTiming.of(Lease.fixed(Duration.ofSeconds(3)), EngineSettings.of("test"));
		HoldRules plain = new HoldRules(0, 100, 0, OnLoss.REPORT);
		assertThat(this.grants.time(KEY, renewed, plain)).isEqualTo(7);
		assertThat(this.grants.time(LockKey.of("other"), renewed, plain)).isZero();
		assertThat(this.grants.time(KEY, fixed, plain)).isZero();
		assertThat(this.grants.time(KEY, renewed, new HoldRules(1, 100, 0, OnLoss.REPORT))).isZero();
	}

	@Test
	void theOldestGoesWhereThereAreTooMany() {
		ManualTicker ticker = new ManualTicker();
		TestEngine test = TestEngine.over(ticker, new InMemoryLeaseStore(ticker, ticker.wallClock));
		Hold hold = ((Handle) test.ask(LockRequest.of(KEY)).join()).hold();
		List<IdleLease> entries = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			IdleLease entry = new IdleLease(hold, 0, 0);
			entries.add(entry);
			assertThat(this.grants.add(entry)).isNull();
		}
		assertThat(this.grants.add(new IdleLease(hold, 0, 0))).isSameAs(entries.get(0));
		assertThat(this.grants.list()).hasSize(10_000).doesNotContain(entries.get(0)).contains(entries.get(1));
		assertThat(this.grants.contains(entries.get(0))).isFalse();
		assertThat(this.grants.contains(entries.get(1))).isTrue();
		this.grants.remove(entries.get(1));
		assertThat(this.grants.contains(entries.get(1))).isFalse();
	}

}
