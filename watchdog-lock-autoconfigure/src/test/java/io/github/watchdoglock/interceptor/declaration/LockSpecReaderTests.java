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

package io.github.watchdoglock.interceptor.declaration;

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockSpecReader}.
 */
class LockSpecReaderTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void silentAnnotationTakesTheDefaults() {
		LockSpec spec = spec(Methods.class, "silent");
		assertThat(spec.name()).isEqualTo("Methods.silent");
		assertThat(spec.key()).isNull();
		assertThat(spec.waitTime()).hasSeconds(10);
		assertThat(spec.lease()).isEqualTo(Lease.renewed(Duration.ofSeconds(30)));
		assertThat(spec.minHoldTime()).isNull();
		assertThat(spec.maxHoldTime()).isNull();
		assertThat(spec.onLoss()).isEqualTo(OnLoss.REPORT);
		assertThat(spec.contention()).isSameAs(Contention.FAIL);
	}

	@Test
	void maximumAndLossPolicyComeFromTheDefaultsWhereTheAnnotationIsSilent() {
		this.fixture.defaults = InterceptorFixture.defaults(Duration.ofSeconds(30), Duration.ZERO,
				Duration.ofMinutes(5), OnContention.FAIL, OnLoss.INTERRUPT, (lease) -> {
				});
		LockSpec silent = spec(Methods.class, "silent");
		assertThat(silent.maxHoldTime()).hasMinutes(5);
		assertThat(silent.onLoss()).isEqualTo(OnLoss.INTERRUPT);
		LockSpec strict = spec(Methods.class, "strict");
		assertThat(strict.maxHoldTime()).hasSeconds(20);
		assertThat(strict.onLoss()).isEqualTo(OnLoss.FAIL);
	}

	@Test
	void requestCarriesAllThatTheMethodAsksFor() {
		assertThat(spec(Methods.class, "strict").requests(new Methods(), new Object[0]))
			.containsExactly(LockRequest.of("Methods.strict")
				.withWaitTime(Duration.ofSeconds(10))
				.withLease(Lease.renewed(Duration.ofSeconds(30)))
				.withMinHoldTime(Duration.ofSeconds(3))
				.withMaxHoldTime(Duration.ofSeconds(20))
				.withOnLoss(OnLoss.FAIL));
	}

	@Test
	void kindIsExclusiveUnlessTheAnnotationOrTheDefaultsSayOtherwise() {
		assertThat(spec(Kinds.class, "exclusive").kind()).isEqualTo(LockKind.EXCLUSIVE);
		assertThat(spec(Kinds.class, "reads").kind()).isEqualTo(new LockKind(0, LockMode.READ));
		assertThat(spec(Kinds.class, "writes").kind()).isEqualTo(LockKind.EXCLUSIVE);
		assertThat(spec(Kinds.class, "five").kind()).isEqualTo(new LockKind(5, LockMode.WRITE));
		assertThat(spec(Kinds.class, "most").kind()).isEqualTo(new LockKind(64, LockMode.WRITE));
	}

	@Test
	void permitsComeFromTheDefaultsWhereTheAnnotationIsSilent() {
		this.fixture.defaults = ofPermits(3);
		assertThat(spec(Kinds.class, "exclusive").kind().permits()).isEqualTo(3);
		assertThat(spec(Kinds.class, "five").kind().permits()).isEqualTo(5);
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> spec(Kinds.class, "reads"))
			.withMessageContaining("LockSpecReaderTests$Kinds.reads()")
			.withMessageContaining("'mode' is READ, and 'permits' is 3 by watchdog-lock.locks");
	}

	@Test
	void requestCarriesItsKind() {
		assertThat(spec(Kinds.class, "five").requests(new Kinds(), new Object[0])).extracting(LockRequest::permits)
			.containsExactly(5);
		assertThat(spec(Kinds.class, "reads").requests(new Kinds(), new Object[0])).extracting(LockRequest::mode)
			.containsExactly(LockMode.READ);
	}

	@ParameterizedTest
	@CsvSource({ "nameless, WrongTogether.nameless", "keyed, orders" })
	void keyWithPermitsAndWithoutIsRefused(String method, String lock) {
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> this.fixture.lockedMethod(WrongTogether.class, method))
			.withMessageContaining("LockSpecReaderTests$WrongTogether." + method + "(")
			.withMessageContaining("it needs the lock '" + lock + "' with 'permits' and without")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("another name"));
	}

	@Test
	void onePermitIsAnExclusiveLock() {
		assertThat(this.fixture.lockedMethod(Together.class, "keyed")).isNotNull();
		assertThat(spec(Together.class, "fenced").fenced()).isTrue();
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> spec(Together.class, "reads"))
			.withMessageContaining("'mode' is READ, and 'permits' is 1");
	}

	private LockDefaults ofPermits(int permits) {
		LockDefaults other = this.fixture.defaults;
		return new LockDefaults(other.leaseTime(), other.renewal(), other.waitTime(), null, null, permits,
				other.onContention(), other.onLoss(), other.leaseRule(), other.keys(), false);
	}

	@Test
	void placeholdersAreResolvedInNameAndDurations() {
		this.fixture.environment.withProperty("job.name", "nightly")
			.withProperty("job.wait", "500ms")
			.withProperty("job.lease", "PT1M");
		LockSpec spec = spec(Methods.class, "placeholders");
		assertThat(spec.name()).isEqualTo("nightly");
		assertThat(spec.waitTime()).hasMillis(500);
		assertThat(spec.lease()).isEqualTo(Lease.fixed(Duration.ofMinutes(1)));
	}

	@Test
	void waitOfMinusOneIsWithoutEnd() {
		assertThat(spec(Methods.class, "endless").waitTime()).isNegative();
	}

	@ParameterizedTest
	@ValueSource(strings = { "once", "zero" })
	void waitOfZeroTriesOnce(String method) {
		assertThat(spec(Methods.class, method).waitTime()).isZero();
	}

	@Test
	void minusOneAndZeroMayBePlaceholdersToo() {
		this.fixture.environment.withProperty("job.name", "nightly")
			.withProperty("job.wait", " -1 ")
			.withProperty("job.lease", "-1");
		LockSpec spec = spec(Methods.class, "placeholders");
		assertThat(spec.waitTime()).isNegative();
		assertThat(spec.lease()).isEqualTo(Lease.renewed(Duration.ofSeconds(30)));
		assertThat(spec(Methods.class, "noMinimum").minHoldTime()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "given,5000,false", "givenRenewed,5000,true", "givenNotRenewed,5000,false", "unset,30000,true",
			"unsetNotRenewed,30000,false" })
	void leaseIsRenewedUnlessOneIsGiven(String method, long millis, boolean renewed) {
		assertThat(spec(Methods.class, method).lease()).isEqualTo(new Lease(Duration.ofMillis(millis), renewed));
	}

	@Test
	void contentionPolicyComesFromTheDefaultsWhereTheAnnotationIsSilent() {
		this.fixture.defaults = InterceptorFixture.defaults(Duration.ofSeconds(30), Duration.ZERO, null,
				OnContention.SKIP, OnLoss.REPORT, (lease) -> {
				});
		assertThat(spec(Methods.class, "silent").contention()).isNotSameAs(Contention.FAIL);
		assertThat(spec(Methods.class, "fails").contention()).isSameAs(Contention.FAIL);
	}

	@Test
	void specIsTranslatedOnce() {
		assertThat(spec(Methods.class, "silent")).isSameAs(spec(Methods.class, "silent"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					badWait       | 'waitTime' is 'soon', which is no duration | 500ms, 10s or PT1M
					hugeWait      | 'waitTime' is '900000000h', and must be from 0ms to 36500 days, or -1 | -1 to wait indefinitely
					bareWait      | 'waitTime' is '10', a number without a unit | Write 10s for seconds, or 10ms for
					oddZero       | 'waitTime' is '00', a number without a unit | Write 00s
					configured    | 'waitTime' is '10' (by '${job.wait}'), a number without a unit | Write 10s for
					bareMinus     | 'waitTime' is '-5', a number without a unit | -1 to wait indefinitely
					minusWait     | 'waitTime' is '-5s', and must be from 0ms to 36500 days, or -1 | -1 to wait indefinitely, 0s to try once
					minusMillis   | 'waitTime' is '-1ms', and must be from 0ms | -1 to wait indefinitely
					bareLease     | 'leaseTime' is '30', a number without a unit | Write 30s for seconds
					minusLease    | 'leaseTime' is '-PT5S', and must be from 0ms | watchdog-lock.lease-time
					bareMaximum   | 'maxHoldTime' is '5', a number without a unit | Write 5s for seconds
					bareMinimum   | 'minHoldTime' is '5', a number without a unit | Write 5s for seconds
					minusSeconds  | 'minHoldTime' is '-5s', and must be from 0ms to 36500 days | or leave it out
					badLease      | 'leaseTime' is '10 parsecs', which is no duration | 500ms, 10s or PT1M
					shortLease    | 'leaseTime' is '10ms', which is not allowed: too short | Change 'leaseTime'
					zeroLease     | 'leaseTime' is '0s', which is not allowed: 'lease' must be from 1ms | Change 'leaseTime'
					badMaximum    | 'maxHoldTime' is 'for ever', which is no duration | 500ms, 10s or PT1M
					zeroMaximum   | 'maxHoldTime' is '0s', and must be from 1ms to 36500 days | Write a duration such as 5m
					minusMaximum  | 'maxHoldTime' is '-1', a number without a unit | watchdog-lock.max-hold-time
					minusMinimum  | 'minHoldTime' is '-1', a number without a unit | or leave it out
					hugeMinimum   | 'minHoldTime' is '900000000h', and must be from 0ms | Write a duration
					longMinimum   | 'minHoldTime' is '10s', longer than the lease of 5000 ms, which | Leave 'leaseTime' out
					hugeMaximum   | 'maxHoldTime' is '900000000h', and must be from 1ms | Write a duration
					manyPermits   | 'permits' is 65, and must be from 1 to 64 | watchdog-lock.locks.<name>.permits
					minusPermits  | 'permits' is -1, and must be from 1 to 64 | Give how many
					readPermits   | 'mode' is READ, and 'permits' is 5: readers are not counted | Leave out one of them
					unresolved    | 'name' is '${missing}', which can't be resolved | Set the property
					badKey        | 'key' is '#a..b', which is no expression | Write SpEL
					skipPrimitive | 'onContention' is SKIP, and it returns the primitive int | return Integer or an Optional
					""")
	void whatCantBeCarriedOutIsRefused(String method, String problem, String action) {
		this.fixture.environment.withProperty("job.wait", "10");
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> spec(Wrong.class, method))
			.withMessageContaining("LockSpecReaderTests$Wrong." + method + "()")
			.withMessageContaining(problem)
			.satisfies((ex) -> assertThat(ex.getAction()).contains(action));
	}

	@Test
	void boundsThemselvesAreAllowed() {
		LockSpec longest = spec(Bounds.class, "longest");
		assertThat(longest.waitTime()).hasDays(36_500);
		assertThat(longest.minHoldTime()).hasDays(36_500);
		assertThat(longest.maxHoldTime()).hasDays(36_500);
		LockSpec shortest = spec(Bounds.class, "shortest");
		assertThat(shortest.minHoldTime()).hasSeconds(5);
		assertThat(shortest.maxHoldTime()).hasMillis(1);
	}

	@Test
	void skipOfAPrimitiveByPropertyNamesTheProperty() {
		this.fixture.defaults = InterceptorFixture.defaults(Duration.ofSeconds(30), Duration.ZERO, null,
				OnContention.SKIP, OnLoss.REPORT, (lease) -> {
				});
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> spec(Methods.class, "count"))
			.withMessageContaining("watchdog-lock.on-contention");
	}

	private LockSpec spec(Class<?> type, String method) {
		List<LockSpec> specs = this.fixture.lockedMethod(type, method).specs();
		assertThat(specs).hasSize(1);
		return specs.get(0);
	}

	public static class Methods {

		@DistributedLock
		public void silent() {
		}

		@DistributedLock
		public int count() {
			return 1;
		}

		@DistributedLock(minHoldTime = "3s", maxHoldTime = "20s", onLoss = OnLoss.FAIL)
		public void strict() {
		}

		@DistributedLock(onContention = OnContention.FAIL)
		public void fails() {
		}

		@DistributedLock(name = "${job.name}", waitTime = "${job.wait}", leaseTime = "${job.lease}")
		public void placeholders() {
		}

		@DistributedLock(waitTime = "-1")
		public void endless() {
		}

		@DistributedLock(waitTime = "0s")
		public void once() {
		}

		@DistributedLock(waitTime = "0")
		public void zero() {
		}

		@DistributedLock(minHoldTime = "0")
		public void noMinimum() {
		}

		@DistributedLock(leaseTime = "5s")
		public void given() {
		}

		@DistributedLock(leaseTime = "5s", renewal = Renewal.ON)
		public void givenRenewed() {
		}

		@DistributedLock(leaseTime = "5s", renewal = Renewal.OFF)
		public void givenNotRenewed() {
		}

		@DistributedLock(leaseTime = "-1")
		public void unset() {
		}

		@DistributedLock(renewal = Renewal.OFF)
		public void unsetNotRenewed() {
		}

	}

	public static class Kinds {

		@DistributedLock
		public void exclusive() {
		}

		@DistributedLock(mode = LockMode.READ)
		public void reads() {
		}

		@DistributedLock(mode = LockMode.WRITE)
		public void writes() {
		}

		@DistributedLock(permits = 5)
		public void five() {
		}

		@DistributedLock(permits = 64)
		public void most() {
		}

	}

	public static class WrongTogether {

		@DistributedLock(permits = 5)
		@DistributedLock(mode = LockMode.READ)
		public void nameless() {
		}

		@DistributedLock(name = "orders", key = "#id")
		@DistributedLock(name = "orders", key = "#id", permits = 5)
		public void keyed(String id) {
		}

	}

	public static class Together {

		@DistributedLock(name = "orders", key = "#id")
		@DistributedLock(name = "orders", key = "#id", permits = 1)
		public void keyed(String id) {
		}

		@DistributedLock(permits = 1, fenced = true)
		public void fenced() {
		}

		@DistributedLock(permits = 1, mode = LockMode.READ)
		public void reads() {
		}

	}

	public static class Bounds {

		@DistributedLock(waitTime = "36500d", minHoldTime = "36500d", maxHoldTime = "36500d")
		public void longest() {
		}

		@DistributedLock(leaseTime = "5s", minHoldTime = "5s", maxHoldTime = "1ms")
		public void shortest() {
		}

	}

	public static class Wrong {

		@DistributedLock(waitTime = "soon")
		public void badWait() {
		}

		@DistributedLock(waitTime = "900000000h")
		public void hugeWait() {
		}

		@DistributedLock(waitTime = "10")
		public void bareWait() {
		}

		@DistributedLock(waitTime = "00")
		public void oddZero() {
		}

		@DistributedLock(waitTime = "${job.wait}")
		public void configured() {
		}

		@DistributedLock(waitTime = "-5")
		public void bareMinus() {
		}

		@DistributedLock(waitTime = "-5s")
		public void minusWait() {
		}

		@DistributedLock(waitTime = "-1ms")
		public void minusMillis() {
		}

		@DistributedLock(leaseTime = "30")
		public void bareLease() {
		}

		@DistributedLock(leaseTime = "-PT5S")
		public void minusLease() {
		}

		@DistributedLock(maxHoldTime = "5")
		public void bareMaximum() {
		}

		@DistributedLock(minHoldTime = "5")
		public void bareMinimum() {
		}

		@DistributedLock(minHoldTime = "-5s")
		public void minusSeconds() {
		}

		@DistributedLock(leaseTime = "10 parsecs")
		public void badLease() {
		}

		@DistributedLock(leaseTime = "10ms")
		public void shortLease() {
		}

		@DistributedLock(leaseTime = "0s")
		public void zeroLease() {
		}

		@DistributedLock(maxHoldTime = "for ever")
		public void badMaximum() {
		}

		@DistributedLock(maxHoldTime = "0s")
		public void zeroMaximum() {
		}

		@DistributedLock(maxHoldTime = "-1")
		public void minusMaximum() {
		}

		@DistributedLock(minHoldTime = "-1")
		public void minusMinimum() {
		}

		@DistributedLock(minHoldTime = "900000000h")
		public void hugeMinimum() {
		}

		@DistributedLock(leaseTime = "5s", minHoldTime = "10s")
		public void longMinimum() {
		}

		@DistributedLock(maxHoldTime = "900000000h")
		public void hugeMaximum() {
		}

		@DistributedLock(permits = 65)
		public void manyPermits() {
		}

		@DistributedLock(permits = -1)
		public void minusPermits() {
		}

		@DistributedLock(permits = 5, mode = LockMode.READ)
		public void readPermits() {
		}

		@DistributedLock("${missing}")
		public void unresolved() {
		}

		@DistributedLock(key = "#a..b")
		public void badKey() {
		}

		@DistributedLock(onContention = OnContention.SKIP)
		public int skipPrimitive() {
			return 1;
		}

	}

}
