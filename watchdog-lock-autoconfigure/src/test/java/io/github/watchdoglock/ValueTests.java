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

package io.github.watchdoglock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for the checks of keys, leases and requests.
 */
class ValueTests {

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " ", "\t\n" })
	@SuppressWarnings("NullAway")
	void blankOrNullLockNameIsRejected(String name) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of(name))
			.withMessageContaining("'name'")
			.withMessageContaining("fixed name");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void blankIdIsRejectedAndNullIdIsAbsent(String id) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.of("orders", id))
			.withMessageContaining("'orders'")
			.withMessageContaining("would share one lock");
		assertThat(LockKey.of("orders", null)).isEqualTo(LockKey.of("orders"));
	}

	@Test
	void keysAreOrderedByNameAndThenById() {
		LockKey none = LockKey.of("b");
		List<LockKey> keys = List.of(LockKey.of("a", "9"), none, LockKey.of("b", "1"), LockKey.of("b", "10"),
				LockKey.of("b", "2"), LockKey.of("c"));
		List<LockKey> sorted = new ArrayList<>(keys);
		Collections.reverse(sorted);
		Collections.sort(sorted);
		assertThat(sorted).isEqualTo(keys);
		assertThat(none).isEqualByComparingTo(LockKey.of("b"));
	}

	@Test
	void printedKeyHasNoLineBreakAndIsShortened() {
		String text = LockKey.of("orders", "4\r\n2\u2028" + "x".repeat(1_000)).toString();
		assertThat(text).startsWith("orders:4??2?xxx").endsWith("x...").hasSizeLessThan(150);
	}

	@Test
	void zeroNegativeOrOverlongLeaseIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.renewed(Duration.ZERO))
			.withMessageContaining("'lease'");
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofNanos(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofDays(36_501)));
	}

	@Test
	@SuppressWarnings("NullAway")
	void changedRequestIsCopyAndKeepsOriginal() {
		LockRequest request = LockRequest.of("orders", "42");
		LockRequest changed = request.withWaitTime(Duration.ofSeconds(-1))
			.withLease(Lease.fixed(Duration.ofSeconds(5)))
			.withMinHoldTime(Duration.ofSeconds(1))
			.withMaxHoldTime(Duration.ofSeconds(9))
			.withOnLoss(OnLoss.FAIL);
		assertThat(request).isEqualTo(LockRequest.of(LockKey.of("orders", "42")))
			.hasSameHashCodeAs(LockRequest.of("orders", "42"))
			.isNotEqualTo(changed)
			.isNotEqualTo(request.withReleaseAfterTransaction());
		assertThat(request.waitTime()).isNull();
		assertThat(changed.key()).isEqualTo(request.key());
		assertThat(changed.waitTime()).isEqualTo(Duration.ofSeconds(-1));
		assertThat(changed.lease()).isEqualTo(Lease.fixed(Duration.ofSeconds(5)));
		assertThat(changed.minHoldTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(changed.maxHoldTime()).isEqualTo(Duration.ofSeconds(9));
		assertThat(changed.onLoss()).isEqualTo(OnLoss.FAIL);
		assertThat(changed.withReleaseAfterTransaction().withWaitTime(Duration.ZERO).releaseAfterTransaction())
			.isTrue();
		assertThat(changed).asString().contains("orders:42", "PT-1S", "PT9S");
		assertThatNullPointerException().isThrownBy(() -> request.withLease(null)).withMessageContaining("'lease'");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMinHoldTime(Duration.ofMillis(-1)))
			.withMessageContaining("'minHoldTime'");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMaxHoldTime(Duration.ZERO))
			.withMessageContaining("'maxHoldTime'");
	}

	@Test
	void exceptionNamesLockAndInstanceOfHolderWithoutThread() {
		LockKey key = LockKey.of("orders", "42");
		LockNotAcquiredException ex = busy(key, 1_500, "app@host:8080/main");
		assertThat(ex)
			.hasMessage("Lock 'orders:42' was not acquired within 1.5 s: held by app@host:8080 at the last answer");
		assertThat(ex.getHolder()).isEqualTo("app@host:8080/main");
		assertThat(busy(key, 0, "app@host/main"))
			.hasMessage("Lock 'orders:42' was not acquired: held by app@host at the"
					+ " last answer, and the wait time is zero");
		assertThat(busy(key, 10, "(unknown)"))
			.hasMessage("Lock 'orders:42' was not acquired within 10 ms: another caller holds it");
		assertThat(busy(key.shownBy((id) -> "…"), 10, "app@host/main"))
			.hasMessage("Lock 'orders:…' was not acquired within 10 ms: another caller holds it");
	}

	private static LockNotAcquiredException busy(LockKey key, long waited, String holder) {
		return new LockNotAcquiredException(key, Duration.ofMillis(waited), holder, Duration.ofSeconds(7));
	}

	@Test
	void notAcquiredExceptionHasNoStackTrace() {
		LockNotAcquiredException ex = new LockNotAcquiredException(LockKey.of("orders"), Duration.ZERO, null, null);
		ex.addSuppressed(new IllegalStateException("kept"));
		assertThat(ex.getStackTrace()).isEmpty();
		assertThat(ex.getSuppressed()).hasSize(1);
		assertThat(new LockStoreException("down", null).getStackTrace()).isNotEmpty();
	}

	@Test
	void exceptionMessageStatesZeroWaitTime() {
		assertThat(new LockNotAcquiredException(LockKey.of("orders"), Duration.ZERO, null, null))
			.hasMessage("Lock 'orders' was not acquired: another caller holds it, and the wait time is zero");
	}

	@Test
	void minHoldTimeLongerThanFixedLeaseIsRejected() {
		LockRequest request = LockRequest.of("orders", "42").withLease(Lease.fixed(Duration.ofSeconds(5)));
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMinHoldTime(Duration.ofSeconds(6)))
			.withMessageContaining("orders:42")
			.withMessageContaining("6 s, longer than its lease of 5 s, which is not renewed");
		assertThat(request.withMinHoldTime(Duration.ofSeconds(5)).minHoldTime()).isEqualTo(Duration.ofSeconds(5));
		assertThat(request.withLease(Lease.renewed(Duration.ofSeconds(5))).withMinHoldTime(Duration.ofHours(1)).lease())
			.isEqualTo(Lease.renewed(Duration.ofSeconds(5)));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 65 })
	void permitsOutsideZeroTo64AreRejected(int permits) {
		LockRequest request = LockRequest.of("export");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withPermits(permits))
			.withMessageContaining("'permits' of lock 'export'")
			.withMessageContaining("to 64, and is " + permits);
		assertThat(request.permits()).isNull();
		assertThat(request.withPermits(64).permits()).isEqualTo(64);
		assertThat(request.withPermits(0).permits()).isZero();
		assertThat(request.withPermits(1)).isNotEqualTo(request.withPermits(0)).isNotEqualTo(request);
	}

	@Test
	@SuppressWarnings("NullAway")
	void requestIsForWriterByDefaultAndReaderRejectsPermits() {
		LockRequest request = LockRequest.of("catalog");
		LockRequest reader = request.withMode(LockMode.READ);
		assertThat(request.mode()).isEqualTo(LockMode.WRITE);
		assertThat(request.withMode(LockMode.WRITE)).isEqualTo(request);
		assertThat(reader.mode()).isEqualTo(LockMode.READ);
		assertThat(reader.withPermits(0).mode()).isEqualTo(LockMode.READ);
		assertThatIllegalArgumentException().isThrownBy(() -> reader.withPermits(5))
			.withMessageContaining("'catalog' is requested with 5 permits and for reading");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withPermits(5).withMode(LockMode.READ));
		assertThatNullPointerException().isThrownBy(() -> request.withMode(null)).withMessageContaining("'mode'");
	}

	@Test
	void copyOfRequestKeepsPermitsAndMode() {
		LockRequest permit = everyChange(LockRequest.of("export").withPermits(5));
		assertThat(permit.permits()).isEqualTo(5);
		assertThat(permit).asString().contains("permits=5");
		assertThat(everyChange(LockRequest.of("catalog").withMode(LockMode.READ)).mode()).isEqualTo(LockMode.READ);
	}

	private static LockRequest everyChange(LockRequest request) {
		return request.withKey(LockKey.of("other"))
			.withWaitTime(Duration.ZERO)
			.withLease(Lease.renewed(Duration.ofSeconds(5)))
			.withMinHoldTime(Duration.ofSeconds(1))
			.withMaxHoldTime(Duration.ofSeconds(9))
			.withOnLoss(OnLoss.FAIL)
			.withReleaseAfterTransaction();
	}

	@Test
	void exceptionsKeepTheirDataWhenTheyAreSerialized() throws Exception {
		LockKey key = LockKey.of("orders", "42").shownBy((id) -> "…");
		LockNotAcquiredException busy = copy(
				new LockNotAcquiredException(key, Duration.ofSeconds(1), "shop@host/main", Duration.ofSeconds(2)));
		assertThat(busy.getKey()).isEqualTo(key).hasToString(key.toString());
		assertThat(busy.getHolder()).isEqualTo("shop@host/main");
		assertThat(busy.getWaited()).isEqualTo(Duration.ofSeconds(1));
		assertThat(busy.getRemaining()).isEqualTo(Duration.ofSeconds(2));
		LockLostException lost = copy(new LockLostException(new LockLoss(key, 7, LockLoss.Reason.GONE)));
		assertThat(lost.getKey()).isEqualTo(key);
		assertThat(lost.getToken()).isEqualTo(7);
		assertThat(lost.getReason()).isEqualTo(LockLoss.Reason.GONE);
		assertThat(copy(new LockUpgradeException(LockKey.of("orders"))).getKey()).isEqualTo(LockKey.of("orders"));
		assertThat(copy(new LockUpgradeException(LockKey.ofRole("reports"))).getKey())
			.isEqualTo(LockKey.ofRole("reports"));
	}

	@SuppressWarnings({ "unchecked", "BanSerializableRead" })
	private static <T> T copy(T object) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		new ObjectOutputStream(bytes).writeObject(object);
		return (T) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
	}

	@Test
	void requestIsSealedAgainstImplementations() {
		assertThat(LockRequest.class.isSealed()).as("whether applications cannot implement requests").isTrue();
	}

}
