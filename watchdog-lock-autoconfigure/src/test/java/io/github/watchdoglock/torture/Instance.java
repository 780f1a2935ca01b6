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

package io.github.watchdoglock.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.ClockedEngine;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.redis.RedisLockSettings;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.time.Ticker;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An engine with clocks of its own, possibly with a seeded bug, that records its
 * operations.
 */
final class Instance {

	/* Short, so that leases of a second leave time for a renewal and its repetition. */
	private static final LeaseLimits LIMITS = new LeaseLimits(Duration.ofMillis(200), Duration.ofMillis(200), null);

	private static final EngineSettings SETTINGS = new EngineSettings(() -> "torture", Duration.ofSeconds(1),
			Duration.ofSeconds(5), Duration.ofSeconds(1), LIMITS, null, null, OnLoss.REPORT, true);

	/*
	 * Only for the variant without a bug: idle keys are rarely free, so some of the bugs
	 * would not show.
	 */
	private static final EngineSettings RIGHT_SETTINGS = SETTINGS
		.withLinger(new TimeRules(Duration.ofMillis(300), Map.of()));

	final LockEngine engine;

	final HoldLog log;

	final JumpingClock wallClock;

	private final SlowTicker ticker;

	private final Variant variant;

	private final AtomicReference<BrokenHandles.Renewals> renewals = new AtomicReference<>();

	Instance(int port, Path log, double rate, Variant variant, String prefix, Duration retention) throws Exception {
		LettuceConnectionFactory factory = RedisServer.factory(port);
		this.log = new HoldLog(log);
		this.ticker = new SlowTicker(Ticker.system(), rate, System.nanoTime());
		this.wallClock = new JumpingClock(this.ticker);
		this.variant = variant;
		RedisLocks locks = new RedisLocks(factory,
				new RedisLockSettings(prefix, "torture", retention, true, Duration.ofSeconds(1), true, true));
		LeaseStore store = BrokenStores.of(variant, locks.store());
		if (variant == Variant.REVIVAL) {
			this.renewals.set(new BrokenHandles.Renewals(store));
			store = this.renewals.get();
		}
		this.engine = ClockedEngine.create((variant == Variant.RIGHT) ? RIGHT_SETTINGS : SETTINGS, elapsed(),
				this.wallClock, store, locks.inspector(), locks.wakeUps(), new LossWriter(this.log));
	}

	private Ticker elapsed() {
		if (this.variant == Variant.WALL_CLOCK) {
			return () -> {
				var now = this.wallClock.instant();
				return now.getEpochSecond() * 1_000_000_000 + now.getNano();
			};
		}
		return this.ticker;
	}

	/* Begin to watch a lock that was just acquired; null if it is not held any more. */
	WatchedHold watch(LockHandle handle, boolean renewed, Kind kind) {
		LockHandle believing = switch (this.variant) {
			case BOOLEAN -> new BrokenHandles.Flag(handle);
			case REVIVAL -> new BrokenHandles.Revived(handle, this.renewals.get());
			default -> handle;
		};
		return WatchedHold.begin(this.log, this.ticker, believing, renewed, kind);
	}

	private record LossWriter(HoldLog log) implements EngineObserver {

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.log.write("lost", HoldLog.name(loss.key()), loss.token(), System.nanoTime(), loss.reason().name());
		}

	}

}
