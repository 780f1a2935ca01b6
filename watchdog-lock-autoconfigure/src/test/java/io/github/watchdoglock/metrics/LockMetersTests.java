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
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener.Outcome;
import io.github.watchdoglock.LockListener.Scope;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.listener.SelectiveListener.End;
import io.github.watchdoglock.listener.TestHold;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockMeters}.
 */
class LockMetersTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockMeters meters = new LockMeters(this.registry, 2, () -> Duration.ZERO);

	@Test
	void watchdogSilenceGaugeIsInSeconds() {
		SimpleMeterRegistry watched = new SimpleMeterRegistry();
		assertThat(new LockMeters(watched, 10, () -> Duration.ofMillis(1_500))).isNotNull();
		assertThat(watched.get("watchdog.lock.watchdog.silent").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(1.5);
	}

	@Test
	void gaugesFollowCallerFromWaitToRelease() {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		assertThat(gauge("waiting")).isOne();
		this.meters.acquired(new TestHold(KEY, 1), 20_000_000);
		assertThat(gauge("waiting")).isZero();
		assertThat(gauge("held")).isOne();
		this.meters.released(new TestHold(KEY, 1), 30_000_000);
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("acquire", "acquired")).isEqualTo(20);
		assertThat(timerMillis("hold", "released")).isEqualTo(30);
	}

	@ParameterizedTest
	@EnumSource
	void metersAreTaggedWithModeOfCaller(Mode mode) {
		Stream.of(Mode.values()).forEach((each) -> this.meters.waiting(KEY, each));
		TestHold hold = new TestHold(KEY, 1, mode);
		this.meters.acquired(hold, 20_000_000);
		assertThat(ofModes("waiting").toString()).isEqualTo(withOne(mode, 0, 1));
		assertThat(ofModes("held").toString()).isEqualTo(withOne(mode, 1, 0));
		this.meters.lost(hold, new LockLoss(KEY, 1, LockLoss.Reason.GONE), Duration.ofMillis(30));
		this.meters.waiting(KEY, mode);
		this.meters.notAcquired(KEY, mode, Outcome.ERROR, 0);
		assertOne(mode, "acquire", Tag.of("outcome", "acquired"));
		assertOne(mode, "acquire", Tag.of("outcome", "error"));
		assertOne(mode, "hold", Tag.of("outcome", "lost"));
		assertOne(mode, "lost", Tag.of("reason", "gone"));
		assertThat(this.registry.get("watchdog.lock.idle").gauge().getId().getTag("mode")).isNull();
	}

	private void assertOne(Mode mode, String meter, Tag tag) {
		assertThat(this.registry.find("watchdog.lock." + meter).tags(List.of(tag)).meters())
			.filteredOn((found) -> found.measure().iterator().next().getValue() == 1)
			.extracting((found) -> found.getId().getTag("mode"))
			.containsExactly(mode.tag());
	}

	private Map<String, Double> ofModes(String name) {
		return this.registry.get("watchdog.lock." + name)
			.gauges()
			.stream()
			.collect(Collectors.toMap((gauge) -> String.valueOf(gauge.getId().getTag("mode")), Gauge::value,
					(one, other) -> one, TreeMap::new));
	}

	private static String withOne(Mode mode, double one, double others) {
		return Stream.of(Mode.values())
			.collect(Collectors.toMap(Mode::tag, (each) -> (each == mode) ? one : others, (a, b) -> a, TreeMap::new))
			.toString();
	}

	@Test
	void differingPermitsCounterExistsOnlyAfterUseOfPermits() {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		assertThat(this.registry.find("watchdog.lock.permits.differing").counter()).isNull();
		this.meters.waiting(KEY, Mode.PERMIT);
		assertThat(this.registry.get("watchdog.lock.permits.differing").tag("lock", "orders").counter().count())
			.isZero();
		this.meters.permitsDiffer(KEY, 5, 6);
		assertThat(this.registry.get("watchdog.lock.permits.differing").tag("lock", "orders").counter().count())
			.isOne();
	}

	@Test
	void unusedModesHaveNoRegisteredMeters() {
		this.meters.waiting(KEY, Mode.READ);
		assertThat(this.registry.getMeters()).extracting((meter) -> String.valueOf(meter.getId().getTag("mode")))
			.containsOnly("read", "null");
	}

	@ParameterizedTest
	@EnumSource
	void failedWaitIsTimedByItsOutcome(Outcome outcome) {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		this.meters.notAcquired(KEY, Mode.EXCLUSIVE, outcome, 20_000_000);
		assertThat(gauge("waiting")).isZero();
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("acquire", outcome.name().toLowerCase(Locale.ROOT))).isEqualTo(20);
	}

	/* RESIGNED is a reason of leaders, and the meters of locks do not count roles. */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RESIGNED")
	void lossIsCountedByItsReason(LockLoss.Reason reason) {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		this.meters.acquired(new TestHold(KEY, 1), 0);
		this.meters.lost(new TestHold(KEY, 1), new LockLoss(KEY, 1, reason), Duration.ofMillis(50));
		assertThat(gauge("held")).isZero();
		assertThat(timerMillis("hold", "lost")).isEqualTo(50);
		assertThat(this.registry.get("watchdog.lock.lost").tags("lock", "orders", "reason", reason.tag()).counter())
			.satisfies((counter) -> assertThat(counter.count()).isOne());
		// A release may find a loss as well.
		assertThat(renewals("gone")).as("renewals counted as gone by a loss").isZero();
	}

	@Test
	void renewalsAreCountedByTheirOutcome() {
		this.meters.renewed(KEY, 1);
		this.meters.renewed(KEY, 1);
		this.meters.renewalFailed(KEY, 1, new IllegalStateException());
		this.meters.renewalGone(KEY, 1);
		assertThat(renewals("renewed")).isEqualTo(2);
		assertThat(renewals("gone")).isOne();
		assertThat(renewals("error")).isOne();
	}

	@Test
	void longHoldIncrementsCounterOfItsName() {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		assertThat(this.registry.get("watchdog.lock.long.holds").tag("lock", "orders").counter().count()).isZero();
		this.meters.longHold(KEY, 1, Duration.ofMinutes(5), List.of());
		assertThat(this.registry.get("watchdog.lock.long.holds").tag("lock", "orders").counter().count()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void repeatedReleaseIsCountedByItsOutcome(End end) {
		assertThat(this.registry.find("watchdog.lock.releases.repeated").counters()).hasSize(End.values().length);
		this.meters.releaseRepeated(KEY, 1, end);
		assertThat(this.registry.find("watchdog.lock.releases.repeated").counters())
			.filteredOn((counter) -> counter.count() == 1)
			.extracting((counter) -> counter.getId().getTags())
			.containsExactly(List.of(Tag.of("outcome", end.name().toLowerCase(Locale.ROOT))));
	}

	@ParameterizedTest
	@EnumSource
	void handOffIsCountedByItsScope(Scope scope) {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		assertThat(this.registry.find("watchdog.lock.handoffs").tag("lock", "orders").counters())
			.hasSize(Scope.values().length)
			.allSatisfy((counter) -> assertThat(counter.count()).isZero());
		this.meters.handedOff(KEY, scope);
		assertThat(this.registry.find("watchdog.lock.handoffs").tag("lock", "orders").counters())
			.filteredOn((counter) -> counter.count() == 1)
			.extracting((counter) -> counter.getId().getTag("scope"))
			.containsExactly(scope.name().toLowerCase(Locale.ROOT));
	}

	@Test
	void idleLeaseIsCountedAsIdleAndNotAsHeld() {
		this.meters.waiting(KEY, Mode.EXCLUSIVE);
		this.meters.idleBegun(KEY);
		this.meters.idleBegun(KEY);
		this.meters.idleEnded(KEY);
		assertThat(gauge("idle")).isOne();
		assertThat(gauge("held")).isZero();
	}

	@Test
	void lockNamedOtherSharesMetersWithNamesBeyondLimit() {
		for (String name : new String[] { "other", "a", "b", "c", "other" }) {
			this.meters.waiting(LockKey.of(name), Mode.EXCLUSIVE);
		}
		assertThat(this.registry.find("watchdog.lock.waiting").gauges())
			.extracting((gauge) -> gauge.getId().getTag("lock") + "=" + gauge.value())
			.containsExactlyInAnyOrder("a=1.0", "b=1.0", "other=3.0");
	}

	@Test
	void exceptionOfMeterFilterDoesNotReachLock() {
		SimpleMeterRegistry refusing = new SimpleMeterRegistry();
		refusing.config().meterFilter(new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				throw new IllegalStateException("filter");
			}
		});
		LockMeters meters = new LockMeters(refusing, 2, () -> Duration.ZERO);
		meters.waiting(KEY, Mode.EXCLUSIVE);
		meters.acquired(new TestHold(KEY, 1), 0);
		meters.renewalSent(0);
		meters.lost(new TestHold(KEY, 1), new LockLoss(KEY, 1, LockLoss.Reason.GONE), Duration.ZERO);
		assertThat(refusing.getMeters()).isEmpty();
	}

	@Test
	void renewalTimersOfInstanceHaveNoTags() {
		this.meters.renewalSent(3_000_000);
		this.meters.commandEnded(Command.RENEW, 7_000_000, null);
		Map.of("renewal.lateness", 3.0, "renewal", 7.0)
			.forEach((name, millis) -> assertThat(this.registry.get("watchdog.lock." + name).timer())
				.returns(millis, (timer) -> timer.totalTime(TimeUnit.MILLISECONDS))
				.returns(List.of(), (timer) -> timer.getId().getTags()));
	}

	@Test
	void keysOfSameNameShareOneSetOfMeters() {
		use(LockKey.of("orders", "first"));
		List<Meter> meters = this.registry.getMeters();
		IntStream.range(0, 100_000).forEach((i) -> use(LockKey.of("orders", "order-" + i)));
		assertThat(this.registry.getMeters()).hasSameSizeAs(meters);
	}

	@Test
	void namesBeyondLimitShareOneSetOfMeters() {
		int ofNone = this.registry.getMeters().size();
		use(LockKey.of("a"));
		int ofOne = this.registry.getMeters().size() - ofNone;
		IntStream.range(0, 1_000).forEach((i) -> use(LockKey.of("name-" + i)));
		assertThat(this.registry.getMeters()).as("meters of all names (limit of 2 names, and other)")
			.hasSize(ofNone + 3 * ofOne);
	}

	@Test
	void gaugesOfUnusedNameAreRemovedAndReturnOnUse() {
		LockMeters meters = new LockMeters(this.registry, 2, () -> Duration.ZERO, Duration.ZERO);
		meters.waiting(KEY, Mode.EXCLUSIVE);
		meters.acquired(new TestHold(KEY, 1), 0);
		use(meters, LockKey.of("invoices"), 3);
		assertThat(gauge("held")).isOne();
		meters.released(new TestHold(KEY, 1), 0);
		assertThat(gauge("held")).isZero();
		use(meters, LockKey.of("invoices"), 3);
		assertThat(this.registry.find("watchdog.lock.held").tag("lock", "orders").gauge()).isNull();
		assertThat(this.registry.find("watchdog.lock.waiting").tag("lock", "orders").gauge()).isNull();
		assertThat(timerMillis("hold", "released")).isZero();
		meters.waiting(KEY, Mode.EXCLUSIVE);
		assertThat(gauge("waiting")).isOne();
		assertThat(gauge("held")).isZero();
	}

	@Test
	void exceptionOfTimerReachesNeitherLockNorGauges() {
		SimpleMeterRegistry throwing = new SimpleMeterRegistry() {
			@Override
			protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector detector) {
				return new NoopTimer(id) {
					@Override
					public void record(long amount, TimeUnit unit) {
						throw new IllegalStateException("timer");
					}

					@Override
					public void record(Duration duration) {
						throw new IllegalStateException("timer");
					}
				};
			}
		};
		LockMeters meters = new LockMeters(throwing, 2, () -> Duration.ZERO);
		meters.waiting(KEY, Mode.EXCLUSIVE);
		meters.acquired(new TestHold(KEY, 1), 0);
		meters.released(new TestHold(KEY, 1), 0);
		meters.commandEnded(Command.RENEW, 0, null);
		assertThat(throwing.get("watchdog.lock.held").tag("lock", "orders").gauge().value()).isZero();
	}

	private void use(LockKey key) {
		use(this.meters, key, 1);
	}

	private static void use(LockMeters meters, LockKey key, int times) {
		for (int i = 0; i < times; i++) {
			meters.waiting(key, Mode.EXCLUSIVE);
			meters.acquired(new TestHold(key, 1), 0);
			meters.released(new TestHold(key, 1), 0);
		}
	}

	private double gauge(String name) {
		return this.registry.get("watchdog.lock." + name).tag("lock", "orders").gauge().value();
	}

	private double timerMillis(String name, String outcome) {
		return this.registry.get("watchdog.lock." + name)
			.tags("lock", "orders", "outcome", outcome)
			.timer()
			.totalTime(TimeUnit.MILLISECONDS);
	}

	private double renewals(String outcome) {
		return this.registry.get("watchdog.lock.renewals").tags("lock", "orders", "outcome", outcome).counter().count();
	}

}
