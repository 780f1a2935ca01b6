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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.contention.ResultType;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockSpecReader}.
 */
class LockSpecReaderTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void annotationWithoutAttributesUsesDefaults() {
		LockSpec spec = spec("");
		assertThat(spec.name()).isEqualTo("Methods.work");
		assertThat(spec.key()).isNull();
		assertThat(spec.waitTime()).hasSeconds(10);
		assertThat(spec.lease()).isEqualTo(Lease.renewed(Duration.ofSeconds(30)));
		assertThat(spec.minHoldTime()).isNull();
		assertThat(spec.maxHoldTime()).isNull();
		assertThat(spec.onLoss()).isEqualTo(OnLoss.REPORT);
		assertThat(spec.contention()).isSameAs(Contention.FAIL);
	}

	@Test
	void configuredDefaultsApplyOnlyToAttributesNotSet() {
		this.fixture.defaults = InterceptorFixture.defaults(Duration.ofSeconds(30), Duration.ZERO,
				Duration.ofMinutes(5), OnContention.SKIP, OnLoss.INTERRUPT, (lease) -> {
				});
		LockSpec silent = spec("");
		assertThat(silent.maxHoldTime()).hasMinutes(5);
		assertThat(silent.onLoss()).isEqualTo(OnLoss.INTERRUPT);
		assertThat(silent.contention()).isNotSameAs(Contention.FAIL);
		LockSpec strict = spec("maxHoldTime=20s, onLoss=FAIL, onContention=FAIL");
		assertThat(strict.maxHoldTime()).hasSeconds(20);
		assertThat(strict.onLoss()).isEqualTo(OnLoss.FAIL);
		assertThat(strict.contention()).isSameAs(Contention.FAIL);
		InterceptorFixture.assertRefused(() -> spec("count", ""), "", "watchdog-lock.on-contention");
	}

	@Test
	void requestHasAllAttributesOfAnnotation() {
		assertThat(requests("minHoldTime=3s, maxHoldTime=20s, onLoss=FAIL"))
			.containsExactly(LockRequest.of("Methods.work")
				.withWaitTime(Duration.ofSeconds(10))
				.withLease(Lease.renewed(Duration.ofSeconds(30)))
				.withMinHoldTime(Duration.ofSeconds(3))
				.withMaxHoldTime(Duration.ofSeconds(20))
				.withOnLoss(OnLoss.FAIL));
		assertThat(requests("permits=5")).extracting(LockRequest::permits).containsExactly(5);
		assertThat(requests("mode=READ")).extracting(LockRequest::mode).containsExactly(LockMode.READ);
	}

	private List<LockRequest> requests(String attributes) {
		return spec(attributes).requests(new Methods(), new Object[0]);
	}

	@Test
	void kindFollowsFromModeAndPermits() {
		assertThat(spec("").kind()).isEqualTo(LockKind.EXCLUSIVE);
		assertThat(spec("mode=READ").kind()).isEqualTo(new LockKind(0, LockMode.READ));
		assertThat(spec("mode=WRITE").kind()).isEqualTo(LockKind.EXCLUSIVE);
		assertThat(spec("permits=5").kind()).isEqualTo(new LockKind(5, LockMode.WRITE));
		assertThat(spec("permits=64").kind()).isEqualTo(new LockKind(64, LockMode.WRITE));
	}

	@Test
	void permitsOfPropertyApplyIfAnnotationDoesNotSetThem() {
		LockDefaults other = this.fixture.defaults;
		this.fixture.defaults = new LockDefaults(other.leaseTime(), other.renewal(), other.waitTime(), null, null, 3,
				other.onContention(), other.onLoss(), other.leaseRule(), other.keys(), false, other.release());
		assertThat(spec("").kind().permits()).isEqualTo(3);
		assertThat(spec("permits=5").kind().permits()).isEqualTo(5);
		InterceptorFixture.assertRefused(() -> spec("mode=READ"), "", "LockSpecReaderTests$Methods.work()",
				"'mode' is READ, and 'permits' is 3 in watchdog-lock.locks");
		InterceptorFixture.assertRefused(() -> spec("fenced=true"), "", "'fenced' is true, and it has permits");
	}

	@ParameterizedTest
	@CsvSource({ "nameless, Together.nameless", "keyed, orders" })
	void keyWithAndWithoutPermitsIsRejected(String method, String lock) {
		InterceptorFixture.assertRefused(() -> this.fixture.lockedMethod(Together.class, method), "another name",
				"LockSpecReaderTests$Together." + method + "(",
				"it requests lock '" + lock + "' with 'permits' and without");
	}

	@Test
	void lockWithOnePermitIsExclusive() {
		assertThat(this.fixture.lockedMethod(Together.class, "one")).isNotNull();
		assertThat(this.fixture.source.isAnyFenced()).isFalse();
		assertThat(this.fixture.lockedMethod(Together.class, "fenced").specs().get(0).fenced()).isTrue();
		assertThat(this.fixture.source.isAnyFenced()).isTrue();
	}

	@Test
	void placeholdersAreResolvedInNameAndDurations() {
		this.fixture.environment.withProperty("job.name", "nightly")
			.withProperty("job.wait", "500ms")
			.withProperty("job.lease", "PT1M");
		LockSpec spec = spec("name=${job.name}, waitTime=${job.wait}, leaseTime=${job.lease}");
		assertThat(spec.name()).isEqualTo("nightly");
		assertThat(spec.waitTime()).hasMillis(500);
		assertThat(spec.lease()).isEqualTo(Lease.fixed(Duration.ofMinutes(1)));
	}

	@ParameterizedTest
	@CsvSource({ "-1, -1", "0, 0", "0s, 0", "${job.wait}, -1" })
	void waitTimeOfMinusOneOrZeroIsAcceptedWithoutUnit(String text, long millis) {
		this.fixture.environment.withProperty("job.wait", " -1 ");
		assertThat(spec("waitTime=" + text).waitTime()).hasMillis(millis);
	}

	@Test
	void jobHasZeroWaitTimeAndDoesNotFailOnContention() {
		LockSpec job = this.fixture.lockedMethod(Together.class, "job").specs().get(0);
		assertThat(job.waitTime()).isZero();
		assertThat(job.contention()).isNotSameAs(Contention.FAIL);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			leaseTime=5s              | 5000  | false
			leaseTime=5s, renewal=ON  | 5000  | true
			leaseTime=5s, renewal=OFF | 5000  | false
			leaseTime=-1              | 30000 | true
			leaseTime=${job.lease}    | 30000 | true
			renewal=OFF               | 30000 | false
			""")
	void renewalFollowsFromLeaseTimeAndRenewalAttribute(String attributes, long millis, boolean renewed) {
		this.fixture.environment.withProperty("job.lease", "-1");
		assertThat(spec(attributes).lease()).isEqualTo(new Lease(Duration.ofMillis(millis), renewed));
	}

	@Test
	void methodSpecificationIsReadOnceAndReused() {
		assertThat(this.fixture.lockedMethod(Together.class, "one"))
			.isSameAs(this.fixture.lockedMethod(Together.class, "one"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					waitTime=soon | 'waitTime' is 'soon', which is not a duration | 500ms, 10s or PT1M
					waitTime=900000000h | 'waitTime' is '900000000h', and must be from 0ms to 36500 days, or -1 | -1 to wait indefinitely
					waitTime=10 | 'waitTime' is '10', a number without a unit | Write 10s for seconds, or 10ms for
					waitTime=00 | 'waitTime' is '00', a number without a unit | Write 00s
					waitTime=${job.wait} | 'waitTime' is '10' (from '${job.wait}'), a number without a unit | Write 10s for
					waitTime=-5 | 'waitTime' is '-5', a number without a unit | -1 to wait indefinitely
					waitTime=-5s | 'waitTime' is '-5s', and must be from 0ms to 36500 days, or -1 | -1 to wait indefinitely, 0s to try once
					waitTime=-1ms | 'waitTime' is '-1ms', and must be from 0ms | -1 to wait indefinitely
					leaseTime=30 | 'leaseTime' is '30', a number without a unit | Write 30s for seconds
					leaseTime=-PT5S | 'leaseTime' is '-PT5S', and must be from 0ms | watchdog-lock.lease-time
					maxHoldTime=5 | 'maxHoldTime' is '5', a number without a unit | Write 5s for seconds
					minHoldTime=5 | 'minHoldTime' is '5', a number without a unit | Write 5s for seconds
					minHoldTime=-5s | 'minHoldTime' is '-5s', and must be from 0ms to 36500 days | or leave it out
					leaseTime=10 parsecs | 'leaseTime' is '10 parsecs', which is not a duration | 500ms, 10s or PT1M
					leaseTime=10ms | 'leaseTime' is '10ms', which is not allowed: too short | Change 'leaseTime'
					leaseTime=0s | 'leaseTime' is '0s', which is not allowed: 'lease' must be from 1ms | Change 'leaseTime'
					maxHoldTime=for ever | 'maxHoldTime' is 'for ever', which is not a duration | 500ms, 10s or PT1M
					maxHoldTime=0s | 'maxHoldTime' is '0s', and must be from 1ms to 36500 days | Write a duration such as 5m
					maxHoldTime=-1 | 'maxHoldTime' is '-1', a number without a unit | watchdog-lock.max-hold-time
					minHoldTime=-1 | 'minHoldTime' is '-1', a number without a unit | or leave it out
					minHoldTime=900000000h | 'minHoldTime' is '900000000h', and must be from 0ms | Write a duration
					leaseTime=5s, minHoldTime=10s | 'minHoldTime' is '10s', longer than the lease of 5000 ms, which | Leave 'leaseTime' out
					maxHoldTime=900000000h | 'maxHoldTime' is '900000000h', and must be from 1ms | Write a duration
					permits=65 | 'permits' is 65, and must be from 1 to 64 | watchdog-lock.locks.<name>.permits
					permits=-1 | 'permits' is -1, and must be from 1 to 64 | Set the number of callers
					permits=5, mode=READ | 'mode' is READ, and 'permits' is 5, but readers are not counted | Leave out 'mode' to limit the number of holders, or 'permits' to
					permits=1, mode=READ | 'mode' is READ, and 'permits' is 1 | Leave out 'mode'
					permits=3, fenced=true | 'fenced' is true, and it has permits: only one holder at a time can be fenced | Remove 'fenced'
					fenced=true, release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Only exclusive, renewed locks of blocking methods that are not fenced can be kept. Remove 'release'.
					permits=2, release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					mode=READ, release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					leaseTime=5s, release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					renewal=OFF, release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					mode=READ, fenced=true | 'fenced' is true, and 'mode' is READ: only one holder at a time can be fenced | Remove 'fenced'
					name=${missing} | 'name' is '${missing}', which cannot be resolved | Set the property
					key=#a..b | 'key' is '#a..b', which is not a valid expression | Write SpEL
					""")
	void invalidAttributeIsRejectedWithProblemAndAction(String attributes, String problem, String action) {
		this.fixture.environment.withProperty("job.wait", "10");
		InterceptorFixture.assertRefused(() -> spec(attributes), action, "LockSpecReaderTests$Methods.work()", problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					count | onContention=SKIP | 'onContention' is SKIP, and it returns the primitive int | return Integer or an Optional
					stage | fenced=true | 'fenced' is true, and its result is completed later: only transactions of the thread | Remove 'fenced': only exclusive
					stage | release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					mono | release=AFTER_TRANSACTION | 'release' is AFTER_TRANSACTION, and a transaction cannot keep this lock | Remove 'release'
					mono | fenced=true | 'fenced' is true, and its result is completed later | Remove 'fenced'
					""")
	void attributeThatConflictsWithReturnTypeIsRejected(String method, String attributes, String problem,
			String action) {
		InterceptorFixture.assertRefused(() -> spec(method, attributes), action,
				"LockSpecReaderTests$Methods." + method + "()", problem);
	}

	@Test
	void releaseIsAfterTransactionByDefaultIfPossible() {
		assertThat(spec("").release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		assertThat(spec("permits=1, leaseTime=5s, renewal=ON").release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		assertThat(spec("release=AFTER_TRANSACTION").release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		assertThat(spec("release=AT_RETURN").release()).isEqualTo(LockRelease.AT_RETURN);
		assertThat(spec("leaseTime=5s").release()).isEqualTo(LockRelease.DEFAULT);
		assertThat(spec("leaseTime=5s, release=AT_RETURN").release()).isEqualTo(LockRelease.AT_RETURN);
		assertThat(spec("mono", "").release()).isEqualTo(LockRelease.DEFAULT);
	}

	@Test
	void releaseOfPropertyAppliesIfAnnotationHasNone() {
		this.fixture.defaults = release(LockRelease.AT_RETURN);
		assertThat(spec("").release()).isEqualTo(LockRelease.AT_RETURN);
		assertThat(spec("leaseTime=5s").release()).isEqualTo(LockRelease.AT_RETURN);
		assertThat(spec("release=AFTER_TRANSACTION").release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		this.fixture.defaults = release(LockRelease.AFTER_TRANSACTION);
		assertThat(spec("").release()).isEqualTo(LockRelease.AFTER_TRANSACTION);
		assertThat(spec("release=AT_RETURN").release()).isEqualTo(LockRelease.AT_RETURN);
		InterceptorFixture.assertRefused(() -> spec("name=orders, leaseTime=5s"), "Remove the property",
				"watchdog-lock.locks.<name>.release is after-transaction, and a transaction cannot keep this lock");
	}

	private LockDefaults release(LockRelease release) {
		LockDefaults other = this.fixture.defaults;
		return new LockDefaults(other.leaseTime(), other.renewal(), other.waitTime(), null, null, 0,
				other.onContention(), other.onLoss(), other.leaseRule(), other.keys(), false, release);
	}

	@Test
	void smallestAndLargestDurationsAreAccepted() {
		LockSpec longest = spec("waitTime=36500d, minHoldTime=36500d, maxHoldTime=36500d");
		assertThat(longest.waitTime()).hasDays(36_500);
		assertThat(longest.minHoldTime()).hasDays(36_500);
		assertThat(longest.maxHoldTime()).hasDays(36_500);
		LockSpec shortest = spec("leaseTime=5s, minHoldTime=5s, maxHoldTime=1ms");
		assertThat(shortest.minHoldTime()).hasSeconds(5);
		assertThat(shortest.maxHoldTime()).hasMillis(1);
		assertThat(spec("minHoldTime=0").minHoldTime()).isZero();
	}

	private LockSpec spec(String attributes) {
		return spec("work", attributes);
	}

	/* The specification of a method whose annotation has these attributes. */
	private LockSpec spec(String methodName, String attributes) {
		Method method = InterceptorFixture.method(Methods.class, methodName);
		Map<String, Object> values = Stream.of(attributes.split(", ", -1))
			.filter(StringUtils::hasText)
			.map((attribute) -> attribute.split("=", 2))
			.collect(Collectors.toMap((attribute) -> attribute[0], (attribute) -> value(attribute[0], attribute[1])));
		DeclaredAnnotation declared = DeclaredAnnotation.of(MergedAnnotation.of(DistributedLock.class, values), method);
		return new LockSpecReader(declared,
				new AttributeReader(declared, this.fixture.environment::resolveRequiredPlaceholders),
				new DerivedNames(), (name) -> this.fixture.defaults, new LockExpressionParser(this.fixture.beans),
				Methods.class, ResultType.of(method, Methods.class))
			.read();
	}

	private static Object value(String attribute, String text) {
		Class<?> type = InterceptorFixture.method(DistributedLock.class, attribute).getReturnType();
		return Objects.requireNonNull(DefaultConversionService.getSharedInstance().convert(text, type));
	}

	static class Methods {

		void work() {
		}

		int count() {
			return 1;
		}

		@Nullable CompletionStage<String> stage() {
			return null;
		}

		Mono<String> mono() {
			return Mono.empty();
		}

	}

	static class Together {

		@DistributedLock(permits = 5)
		@DistributedLock(mode = LockMode.READ)
		void nameless() {
		}

		@DistributedLock(name = "orders", key = "#id")
		@DistributedLock(name = "orders", key = "#id", permits = 5)
		void keyed(String id) {
		}

		@DistributedLock(name = "orders", key = "#id")
		@DistributedLock(name = "orders", key = "#id", permits = 1)
		void one(String id) {
		}

		@DistributedLock(permits = 1, fenced = true)
		void fenced() {
		}

		@LockedJob
		void job() {
		}

	}

}
