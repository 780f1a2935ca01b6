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

package io.github.watchdoglock.metrics;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Fills meters with what happens to locks. Tagged by the name of a lock, never by its id,
 * by a bounded number of names, and by how locks are asked for. Thread-safe; may be
 * called inline, since it neither blocks nor throws.
 */
public final class LockMeters implements EngineObserver {

	/* Several scrapes long, so that the last value seen is zero. */
	private static final Duration IDLE = Duration.ofMinutes(5);

	private final MetersByName byName;

	private final InstanceMeters instance;

	/**
	 * Create meters.
	 * @param registry where they are registered, a lock's when it is first used
	 * @param maxNames how many names have meters of their own; further ones share those
	 * tagged {@code other}
	 */
	public LockMeters(MeterRegistry registry, int maxNames) {
		this(registry, maxNames, IDLE);
	}

	/**
	 * The same, with a gauge of the watchdog.
	 * @param registry where they are registered
	 * @param maxNames how many names have meters of their own
	 * @param silence how long the watchdog has not done what it was time for
	 */
	public LockMeters(MeterRegistry registry, int maxNames, Supplier<Duration> silence) {
		this(registry, maxNames, IDLE);
		InstanceMeters.watch(registry, silence);
	}

	LockMeters(MeterRegistry registry, int maxNames, Duration idle) {
		this.byName = new MetersByName(registry, maxNames, idle);
		this.instance = new InstanceMeters(registry);
	}

	@Override
	public void waiting(LockKey key, Mode mode) {
		NameMeters meters = of(key);
		meters.gauges.waiting(mode).incrementAndGet();
		meters.use(mode);
		this.byName.hideIdle();
	}

	@Override
	public void acquired(Held hold, Duration waited) {
		NameMeters meters = of(hold.key());
		Mode mode = hold.mode();
		meters.gauges.held(mode).incrementAndGet();
		meters.gauges.waiting(mode).decrementAndGet();
		Guard.run(() -> meters.of(mode).acquired.record(waited));
	}

	@Override
	public void notAcquired(LockKey key, Mode mode, Outcome outcome, Duration waited) {
		NameMeters meters = of(key);
		meters.gauges.waiting(mode).decrementAndGet();
		Guard.run(() -> meters.of(mode).notAcquired(outcome).record(waited));
	}

	@Override
	public void renewed(LockKey key, long token) {
		Guard.run(of(key).renewed::increment);
		this.byName.hideIdle();
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		Guard.run(of(key).renewalFailed::increment);
	}

	@Override
	public void renewalGone(LockKey key, long token) {
		Guard.run(of(key).renewalGone::increment);
	}

	@Override
	public void renewalSent(Duration lateness) {
		Guard.run(() -> this.instance.renewalLateness.record(lateness));
	}

	@Override
	public void commandEnded(Command command, Duration took, @Nullable Throwable failure) {
		if (command == Command.RENEW && failure == null) {
			Guard.run(() -> this.instance.renewalAnswer.record(took));
		}
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		Guard.run(of(key).longHolds::increment);
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		NameMeters meters = of(hold.key());
		meters.gauges.held(hold.mode()).decrementAndGet();
		Guard.run(() -> {
			ModeMeters ofMode = meters.of(hold.mode());
			ofMode.lost(loss.reason()).increment();
			ofMode.lostHold.record(held);
		});
	}

	@Override
	public void released(Held hold, Duration held) {
		NameMeters meters = of(hold.key());
		meters.gauges.held(hold.mode()).decrementAndGet();
		Guard.run(() -> meters.of(hold.mode()).releasedHold.record(held));
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		Guard.run(this.instance.repeatedReleases(end)::increment);
	}

	@Override
	public void permitsDiffer(LockKey key, int permits, int others) {
		Guard.run(() -> of(key).of(Mode.PERMIT).permitsDiffer());
	}

	@Override
	public void idleBegun(LockKey key) {
		of(key).gauges.idle.incrementAndGet();
	}

	@Override
	public void idleEnded(LockKey key) {
		of(key).gauges.idle.decrementAndGet();
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		Guard.run(of(key).handOffs(scope)::increment);
	}

	private NameMeters of(LockKey key) {
		return this.byName.of(key.name());
	}

}
