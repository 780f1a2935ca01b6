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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.listener.FenceObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * The meters of locks. They are tagged with the name of a lock, never with its id, for a
 * limited number of names, and with the mode in which locks are requested. A lock named
 * {@code other} shares the meters of the names beyond that number. Thread-safe; may be
 * called inline, because it neither blocks nor throws.
 */
public final class LockMeters implements EngineObserver, FenceObserver {

	/* As long as several scrapes, so that the last scraped value is zero. */
	private static final Duration IDLE = Duration.ofMinutes(5);

	private final MeterRegistry registry;

	private final TagNames names;

	private final Map<String, NameMeters> byName = new ConcurrentHashMap<>();

	private final long idle;

	private final AtomicLong looked = new AtomicLong(System.nanoTime());

	private final InstanceMeters instance;

	/**
	 * Create meters.
	 * @param registry the registry for the meters; those of a lock are registered when it
	 * is first used
	 * @param maxNames how many names have separate meters; further names share the meters
	 * tagged {@code other}
	 * @param watchdogDelay returns how long the watchdog has not done work that was due
	 */
	public LockMeters(MeterRegistry registry, int maxNames, Supplier<Duration> watchdogDelay) {
		this(registry, maxNames, watchdogDelay, IDLE);
	}

	LockMeters(MeterRegistry registry, int maxNames, Supplier<Duration> watchdogDelay, Duration idle) {
		this.registry = registry;
		this.names = new TagNames(maxNames);
		this.idle = idle.toNanos();
		this.instance = new InstanceMeters(registry, watchdogDelay);
	}

	@Override
	public void waiting(LockKey key, Mode mode) {
		NameMeters meters = of(key);
		ModeMeters ofMode = meters.of(mode);
		ofMode.waiting.incrementAndGet();
		meters.use(ofMode);
		hideIdle();
	}

	@Override
	public void acquired(Held hold, long waited) {
		ModeMeters meters = of(hold);
		meters.held.incrementAndGet();
		meters.waiting.decrementAndGet();
		Guard.record(meters.acquired, waited);
	}

	@Override
	public void notAcquired(LockKey key, Mode mode, LockListener.Outcome outcome, long waited) {
		ModeMeters meters = of(key).of(mode);
		meters.waiting.decrementAndGet();
		Guard.record(meters.notAcquired.get(outcome), waited);
	}

	@Override
	public void renewed(LockKey key, long token) {
		Guard.increment(of(key).renewed);
		hideIdle();
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		Guard.increment(of(key).renewalFailed);
	}

	@Override
	public void unconfirmed(LockKey key) {
		Guard.increment(of(key).unconfirmed);
	}

	@Override
	public void renewalGone(LockKey key, long token) {
		Guard.increment(of(key).renewalGone);
	}

	@Override
	public void renewalSent(long lateness) {
		Guard.record(this.instance.renewalLateness, lateness);
	}

	@Override
	public void commandEnded(Command command, long took, @Nullable Throwable failure) {
		this.instance.commands.ended(command, took, failure);
		if (command == Command.RENEW && failure == null) {
			Guard.record(this.instance.renewalAnswer, took);
		}
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		Guard.increment(of(key).longHolds);
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		ModeMeters meters = of(hold);
		meters.held.decrementAndGet();
		Guard.increment(meters.lost.get(loss.reason()));
		Guard.record(meters.lostHold, held.toNanos());
	}

	@Override
	public void released(Held hold, long held) {
		ModeMeters meters = of(hold);
		meters.held.decrementAndGet();
		Guard.record(meters.releasedHold, held);
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		Guard.increment(this.instance.repeatedReleases.get(end));
	}

	@Override
	public void permitsDiffer(LockKey key, int permits, int others) {
		Guard.increment(Objects.requireNonNull(of(key).of(Mode.PERMIT).differing));
	}

	@Override
	public void idleBegun(LockKey key) {
		of(key).idle.incrementAndGet();
	}

	@Override
	public void idleEnded(LockKey key) {
		of(key).idle.decrementAndGet();
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		Guard.increment(of(key).handOffs.get(scope));
	}

	/* Only the names of fenced locks have these meters. */
	@Override
	public void observed(LockKey key, FenceObserver.Outcome outcome, Duration took) {
		TaggedMeters meters = new TaggedMeters(this.registry,
				Tags.of("lock", this.names.of(key.name()), "outcome", EnumMeters.tag(outcome)));
		Guard.run(() -> meters
			.timer("watchdog.lock.fence", "Fences in the database: raised for a hold, or the reason why it ended")
			.record(took));
	}

	private ModeMeters of(Held hold) {
		return of(hold.key()).of(hold.mode());
	}

	private NameMeters of(LockKey key) {
		String tag = this.names.of(key.name());
		return Guard.registerOnce(this.registry, this.byName, tag, (target) -> new NameMeters(target, tag));
	}

	/* Removes the gauges of names that were not used since the last call. */
	private void hideIdle() {
		long now = System.nanoTime();
		long last = this.looked.get();
		if (now - last >= this.idle && this.looked.compareAndSet(last, now)) {
			this.byName.values().forEach(NameMeters::hideIfIdle);
		}
	}

}
