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

package io.github.watchdoglock.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.engine.IdleLock;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.support.FakeLockService;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link NamedLockProperties}: the properties of locks with one name.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamedLockPropertiesTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final String LOCKS = "watchdog-lock.locks.";

	private final ApplicationContextRunner contexts = LockContexts.local().withBean(Jobs.class);

	private final ApplicationContextRunner recorded = this.contexts.withBean(FakeLockService.class);

	@Test
	void annotationWithoutSettingsUsesPropertiesOfItsName() {
		this.recorded
			.withPropertyValues(LOCKS + "report.lease-time=3s", LOCKS + "report.wait-time=2s",
					LOCKS + "report.max-hold-time=5m", LOCKS + "report.on-loss=interrupt",
					LOCKS + "report.on-contention=skip")
			.run((context) -> {
				FakeLockService service = context.getBean(FakeLockService.class);
				context.getBean(Jobs.class).report();
				assertThat(service.requests).containsExactly(LockRequest.of("report")
					.withLease(Lease.renewed(Duration.ofSeconds(3)))
					.withWaitTime(Duration.ofSeconds(2))
					.withMaxHoldTime(Duration.ofMinutes(5))
					.withOnLoss(OnLoss.INTERRUPT));
				service.busy = true;
				assertThat(context.getBean(Jobs.class).report()).isNull();
				assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.getBean(Jobs.class).given());
			});
	}

	@Test
	void annotationWithoutSettingsUsesGlobalPropertiesExceptMaxHoldTime() {
		this.recorded
			.withPropertyValues("watchdog-lock.lease-time=3s", "watchdog-lock.wait-time=2s",
					"watchdog-lock.max-hold-time=5m", "watchdog-lock.on-loss=fail", "watchdog-lock.on-contention=skip")
			.run((context) -> {
				FakeLockService service = context.getBean(FakeLockService.class);
				context.getBean(Jobs.class).report();
				assertThat(service.requests).containsExactly(LockRequest.of("report")
					.withLease(Lease.renewed(Duration.ofSeconds(3)))
					.withWaitTime(Duration.ofSeconds(2))
					.withOnLoss(OnLoss.FAIL));
				service.busy = true;
				assertThat(context.getBean(Jobs.class).report()).isNull();
			});
	}

	@Test
	void annotationSettingsTakePrecedenceOverProperties() {
		this.recorded
			.withPropertyValues(LOCKS + "strict.lease-time=3s", LOCKS + "strict.wait-time=2s",
					LOCKS + "strict.max-hold-time=5m", LOCKS + "strict.on-loss=interrupt", LOCKS + "strict.renewal=on",
					LOCKS + "strict.on-contention=skip")
			.run((context) -> {
				FakeLockService service = context.getBean(FakeLockService.class);
				context.getBean(Jobs.class).strict();
				assertThat(service.requests).containsExactly(LockRequest.of("strict")
					.withLease(Lease.fixed(Duration.ofSeconds(7)))
					.withWaitTime(Duration.ofSeconds(8))
					.withMaxHoldTime(Duration.ofSeconds(9))
					.withOnLoss(OnLoss.FAIL));
				service.busy = true;
				assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.getBean(Jobs.class).strict())
					.withMessageContaining("was not acquired");
			});
	}

	@Test
	void renewalPropertyAppliesToLeaseOfAnnotationAndDefaultLease() {
		this.recorded.withPropertyValues(LOCKS + "given.renewal=on", LOCKS + "report.renewal=off").run((context) -> {
			context.getBean(Jobs.class).given();
			context.getBean(Jobs.class).report();
			assertThat(context.getBean(FakeLockService.class).requests).extracting(LockRequest::lease)
				.containsExactly(Lease.renewed(Duration.ofSeconds(7)), Lease.fixed(Duration.ofSeconds(30)));
		});
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "watchdog-lock.locks[Jobs.unnamed].wait-time", "watchdog-lock.locks.[Jobs.unnamed].wait-time",
					"watchdog-lock.locks[Jobs.unnamed].waitTime", "watchdogLock.locks[Jobs.unnamed].wait_time" })
	void dottedNameInBracketsIsBoundInEachSpelling(String property) {
		this.recorded.withPropertyValues(property + "=2s").run((context) -> {
			context.getBean(Jobs.class).unnamed();
			assertThat(context.getBean(FakeLockService.class).requests).extracting(LockRequest::waitTime)
				.containsExactly(Duration.ofSeconds(2));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "watchdog-lock.locks.Jobs.unnamed.wait-time", "watchdog-lock.locks.report.wait-tme",
			"watchdog-lock.locks[Jobs.unnamed].wait-tme", "watchdog-lock.lease-tme", "watchdog-lock.leaders.a.lease" })
	void propertyThatDoesNotExistIsRejected(String property) {
		this.contexts.withPropertyValues(property + "=2s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(UnboundConfigurationPropertiesException.class)
				.hasMessageContaining("were left unbound"));
	}

	@Test
	void dottedNameInYamlFileIsBound() {
		this.recorded.withInitializer((context) -> {
			ByteArrayResource yaml = new ByteArrayResource("""
					watchdog-lock:
					  locks:
					    "[Jobs.unnamed]":
					      wait-time: ${patience}
					      renewal: off
					    report:
					      on-loss: fail
					""".getBytes(StandardCharsets.UTF_8));
			ThrowingSupplier.of(() -> new YamlPropertySourceLoader().load("yaml", yaml))
				.get()
				.forEach(context.getEnvironment().getPropertySources()::addLast);
		}).withPropertyValues("patience=3s").run((context) -> {
			context.getBean(Jobs.class).unnamed();
			context.getBean(Jobs.class).report();
			assertThat(context.getBean(FakeLockService.class).requests).containsExactly(
					LockRequest.of("Jobs.unnamed")
						.withWaitTime(Duration.ofSeconds(3))
						.withLease(Lease.fixed(Duration.ofSeconds(30)))
						.withOnLoss(OnLoss.DEFAULT),
					LockRequest.of("report")
						.withWaitTime(Duration.ofSeconds(10))
						.withLease(Lease.renewed(Duration.ofSeconds(30)))
						.withOnLoss(OnLoss.FAIL));
		});
	}

	@Test
	void environmentVariableOverridesPropertyOfName() {
		this.recorded
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("WATCHDOGLOCK_LOCKS_REPORT_WAITTIME", "2s"))))
			.withPropertyValues(LOCKS + "report.wait-time=1s")
			.run((context) -> {
				context.getBean(Jobs.class).report();
				assertThat(context.getBean(FakeLockService.class).requests).extracting(LockRequest::waitTime)
					.containsExactly(Duration.ofSeconds(2));
			});
	}

	@Test
	void requestInCodeUsesPropertiesOfItsNameUnlessSet() {
		this.contexts
			.withPropertyValues(LOCKS + "orders.lease-time=3s", LOCKS + "orders.wait-time=0s",
					LOCKS + "orders.on-loss=fail")
			.run((context) -> {
				LockService locks = context.getBean(LockService.class);
				try (LockHandle handle = locks.acquire(LockRequest.of("orders", "42"))) {
					assertThat(handle.remaining()).isLessThan(Duration.ofSeconds(3));
					long start = System.nanoTime();
					assertThat(isTaken(locks, LockRequest.of("orders", "42")))
						.as("orders:42 busy for another thread with wait-time 0s")
						.isTrue();
					assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
				}
				try (LockHandle handle = locks
					.acquire(LockRequest.of("orders", "43").withLease(Lease.fixed(Duration.ofSeconds(20))))) {
					assertThat(handle.remaining()).isGreaterThan(Duration.ofSeconds(10));
				}
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> locks
					.execute(LockRequest.of("orders"), (handle) -> locks.forceRelease(LockKey.of("orders"))));
			});
	}

	@Test
	void minHoldTimePropertyAppliesOnlyToItsName() {
		this.contexts.withPropertyValues(LOCKS + "report.min-hold-time=1m").run((context) -> {
			context.getBean(Jobs.class).report();
			assertThat(isTaken(context.getBean(LockService.class), once("report")))
				.as("report busy during its minimum hold time")
				.isTrue();
			context.getBean(Jobs.class).given();
			assertThat(isTaken(context.getBean(LockService.class), once("given"))).isFalse();
		});
	}

	@Test
	void permitsPropertyAppliesToMethodsAndRequestsWithoutPermits() {
		this.recorded
			.withPropertyValues(LOCKS + "report.permits=5", LOCKS + "strict.permits=0", LOCKS + "some.permits=5")
			.run((context) -> {
				context.getBean(Jobs.class).report();
				context.getBean(Jobs.class).some();
				context.getBean(Jobs.class).strict();
				assertThat(context.getBean(FakeLockService.class).requests).extracting(LockRequest::permits)
					.containsExactly(5, 3, null);
			});
		NamedLockProperties five = new Binder(new MapConfigurationPropertySource(Map.of("five.permits", "5")))
			.bindOrCreate("five", NamedLockProperties.class);
		LockRequest request = LockRequest.of("report");
		assertThat(five.complete(request, LEASE)).isEqualTo(request.withPermits(5));
		assertThat(five.complete(request.withPermits(0), LEASE)).isEqualTo(request.withPermits(0));
		assertThat(five.complete(request.withPermits(6), LEASE)).isEqualTo(request.withPermits(6));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> five.complete(LockRequest.of("Jobs.x").withMode(LockMode.READ), LEASE))
			.withMessageContaining("'Jobs.x' is requested for reading, and watchdog-lock.locks[Jobs.x].permits is 5");
	}

	@Test
	void permitsPropertyIsRejectedForMethodInReadMode() {
		this.contexts.withPropertyValues(LOCKS + "catalog.permits=5")
			.run(LockContexts.rejected("Jobs.read", "'mode' is READ, and 'permits' is 5 in watchdog-lock.locks"));
		this.contexts.withPropertyValues(LOCKS + "catalog.permits=0")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void lingerPropertyOfNameOverridesGlobalLinger() {
		this.contexts.withPropertyValues("watchdog-lock.linger=1m", LOCKS + "back.linger=0s").run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(LockRequest.of("orders", "42")).close();
			locks.acquire(LockRequest.of("back")).close();
			assertThat(context.getBean(EngineBean.class).engine().idle()).extracting(IdleLock::key)
				.containsExactly(LockKey.of("orders", "42"));
		});
		this.contexts.withPropertyValues(LOCKS + "kept.linger=1m", LOCKS + "kept.permits=1").run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(LockRequest.of("orders", "42")).close();
			locks.acquire(LockRequest.of("kept")).close();
			assertThat(context.getBean(EngineBean.class).engine().idle()).extracting(IdleLock::key)
				.containsExactly(LockKey.of("kept"));
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			linger=-1s | renewal=on       | it is negative
			linger=1s  | min-hold-time=1m | a lock with a minimum hold
			linger=1s  | renewal=off      | a lock that is not renewed
			linger=1s  | permits=5        | a permit is never kept
			""")
	void lingerIsRejectedWhenNegativeOrIncompatible(String linger, String other, String problem) {
		this.contexts.withPropertyValues(LOCKS + "report." + linger, LOCKS + "report." + other)
			.run(LockContexts.rejected("watchdog-lock.locks.report.linger is '", problem));
	}

	@Test
	void otherInstanceGetsLeaseFirstWhenHandOffsIsZero() {
		this.contexts.withPropertyValues(LOCKS + "turns.hand-offs=0").run((context) -> {
			LockService locks = context.getBean(LockService.class);
			LockRequest turns = LockRequest.of("turns").withWaitTime(Duration.ofMillis(-1));
			LeaseKeeping kept = context.getBean(LeaseKeeping.class);
			try (LockEngine other = new LockEngine(EngineSettings.of("other"), kept.store(), kept.inspector(),
					kept.wakeUps())) {
				LockHandle first = locks.acquireAsync(turns).join();
				CompletableFuture<LockHandle> here = locks.acquireAsync(turns);
				CompletableFuture<LockHandle> there = other.acquireAsync(turns);
				Awaitility.await().until(() -> locks.find(turns.key()).orElseThrow().waiting() == 1);
				first.close();
				there.orTimeout(10, TimeUnit.SECONDS).join();
				assertThat(here).isNotDone();
				there.join().close();
				here.orTimeout(10, TimeUnit.SECONDS).join().close();
			}
		});
	}

	@Test
	void similarPropertyNameIsLoggedOnceWithSuggestion(CapturedOutput output) {
		this.recorded
			.withPropertyValues(LOCKS + "report.wait-time=1s", LOCKS + "raport.wait-time=1s",
					LOCKS + "checkout.wait-time=1s")
			.run((context) -> assertThat(output.toString().split("No annotated lock has the name in")).hasSize(2));
		assertThat(output).contains("watchdog-lock.locks.raport. Did you mean 'report'?",
				"The annotated names are [Jobs.unnamed, catalog, given, report, some, strict]");
	}

	@Test
	void annotatedPropertyNameLogsNoWarning(CapturedOutput output) {
		this.recorded.withPropertyValues(LOCKS + "report.wait-time=1s").run((context) -> {
		});
		assertThat(output).doesNotContain("No annotated lock");
	}

	@Test
	void minHoldTimeLongerThanFixedLeaseIsRejected() {
		ApplicationContextRunner fixed = this.contexts.withPropertyValues(LOCKS + "report.lease-time=5s",
				LOCKS + "report.min-hold-time=6s");
		fixed.run((context) -> assertThat(context).hasNotFailed());
		fixed.withPropertyValues(LOCKS + "report.renewal=off")
			.run(LockContexts.rejected("locks.report.min-hold-time is '6s': it is longer than the lease"));
	}

	@ParameterizedTest
	@CsvSource({ "given.min-hold-time=8s, Jobs.given, 8000 ms, 7000 ms",
			"report.min-hold-time=31s;report.renewal=off, Jobs.report, 31000 ms, 30000 ms" })
	void minHoldTimePropertyLongerThanLeaseOfMethodIsRejected(String said, String method, String minimum,
			String lease) {
		this.contexts
			.withPropertyValues(Stream.of(said.split(";")).map((property) -> LOCKS + property).toArray(String[]::new))
			.run(LockContexts.rejected(method, "'minHoldTime' is '" + minimum
					+ "' in watchdog-lock.locks, longer than the lease of " + lease + ", which is not renewed"));
	}

	@Test
	void unknownPropertyNameIsLoggedWithAnnotatedNamesButNoRoles(CapturedOutput output) {
		this.contexts.withPropertyValues(LOCKS + "reprot.wait-time=1s")
			.withBean(Leading.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("watchdog-lock.locks.reprot. Did you mean 'report'?", "The annotated names are [Jobs.unnamed, ")
			.doesNotContain("%role");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					.report.lease-time    | 500ms   | locks.report.lease-time is '500ms': it is shorter than watchdog-lock.min-lease-time (1s)
					.report.lease-time    | 40000d  | locks.report.lease-time is '40000d': 'lease' must be from 1ms
					.report.wait-time     | 40000d  | locks.report.wait-time is '40000d': it is longer than 36500 days
					.report.min-hold-time | -1s     | locks.report.min-hold-time is '-1s': it is negative
					.report.max-hold-time | 0s      | locks.report.max-hold-time is '0s': it is less than 1ms
					.report.wait-time     | -2s     | locks.report.wait-time is '-2s': the only negative value allowed is -1
					.report.permits       | -1      | locks.report.permits is '-1': it is not from 0 (an exclusive lock) to 64
					.report.permits       | 65      | locks.report.permits is '65': it is not from 0 (an exclusive lock) to 64
					.report.hand-offs     | -1      | locks.report.hand-offs is '-1': it is not from 0 (no hand-offs while another instance waits) to 1000
					.report.hand-offs     | 1001    | locks.report.hand-offs is '1001': it is not from 0 (no hand-offs while another instance waits) to 1000
					[Jobs.x].lease-time   | 1ms     | locks[Jobs.x].lease-time is '1ms': it is shorter
					""")
	void valueOutOfRangeIsRejectedAtStartup(String property, String value, String problem) {
		this.contexts.withPropertyValues("watchdog-lock.locks" + property + "=" + value)
			.run(LockContexts.rejected(problem));
	}

	@Test
	@Timeout(10)
	void waitTimePropertiesDoNotApplyToTryAcquire() {
		this.contexts.withPropertyValues("watchdog-lock.wait-time=20s", LOCKS + "report.wait-time=-1")
			.run((context) -> {
				LockService locks = context.getBean(LockService.class);
				try (LockHandle report = locks.acquire(LockRequest.of("report"));
						LockHandle other = locks.acquire(LockRequest.of("other"))) {
					assertThat(isTaken(locks, LockRequest.of(report.key())))
						.as("report busy for tryAcquire with wait-time -1")
						.isTrue();
					assertThat(isTaken(locks, LockRequest.of(other.key()))).isTrue();
				}
			});
	}

	private static LockRequest once(String name) {
		return LockRequest.of(name).withWaitTime(Duration.ZERO);
	}

	/* Another thread tries the lock, because this thread would re-enter it. */
	private static boolean isTaken(LockService locks, LockRequest request) {
		Optional<LockHandle> handle = CompletableFuture
			.supplyAsync(ThrowingSupplier.of(() -> locks.tryAcquire(request)))
			.join();
		handle.ifPresent(LockHandle::close);
		return handle.isEmpty();
	}

	static class Jobs {

		@DistributedLock("report")
		@Nullable String report() {
			return null;
		}

		@DistributedLock(name = "strict", leaseTime = "7s", renewal = Renewal.OFF, waitTime = "8s", maxHoldTime = "9s",
				onLoss = OnLoss.FAIL, onContention = OnContention.FAIL)
		void strict() {
		}

		@DistributedLock(name = "given", leaseTime = "7s")
		void given() {
		}

		@DistributedLock
		void unnamed() {
		}

		@DistributedLock(name = "some", permits = 3)
		void some() {
		}

		@DistributedLock(name = "catalog", mode = LockMode.READ)
		void read() {
		}

	}

	static class Leading {

		@LeaderOnly("reports")
		void report() {
		}

	}

}
