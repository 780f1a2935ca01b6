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

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Keys, leases and requests check themselves.
 */
class ValueTests {

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " ", "\t\n" })
	@SuppressWarnings("NullAway")
	void aNameIsNeverBlank(String name) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockKey.of(name))
			.withMessageContaining("'name'")
			.withMessageContaining("fixed name");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t\n" })
	void anIdIsNeverBlankButMayBeMissing(String id) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.of("orders", id))
			.withMessageContaining("'orders'")
			.withMessageContaining("would share one lock");
		assertThat(LockKey.of("orders", null)).isEqualTo(LockKey.of("orders"));
	}

	@Test
	void aKeyInAMessageForgesNoLineAndIsCut() {
		String text = LockKey.of("orders", "4\r\n2\u2028" + "x".repeat(1_000)).toString();
		assertThat(text).startsWith("orders:4??2?xxx").endsWith("x...").hasSizeLessThan(150);
	}

	@Test
	void aLeaseIsPositiveAndNotLongerThanACentury() {
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.renewed(Duration.ZERO))
			.withMessageContaining("'lease'");
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofMillis(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofNanos(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> Lease.fixed(Duration.ofDays(36_501)));
	}

	@Test
	@SuppressWarnings("NullAway")
	void aRequestChangesByCopy() {
		LockRequest request = LockRequest.of("orders", "42");
		LockRequest changed = request.withWaitTime(Duration.ofSeconds(-1))
			.withLease(Lease.fixed(Duration.ofSeconds(5)))
			.withMinHoldTime(Duration.ofSeconds(1))
			.withMaxHoldTime(Duration.ofSeconds(9))
			.withOnLoss(OnLoss.FAIL);
		assertThat(request).isEqualTo(new LockRequest(LockKey.of("orders", "42"), null, null, null, null, null));
		assertThat(changed).isEqualTo(new LockRequest(LockKey.of("orders", "42"), Duration.ofSeconds(-1),
				Lease.fixed(Duration.ofSeconds(5)), Duration.ofSeconds(1), Duration.ofSeconds(9), OnLoss.FAIL));
		assertThatNullPointerException().isThrownBy(() -> request.withLease(null)).withMessageContaining("'lease'");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMinHoldTime(Duration.ofMillis(-1)))
			.withMessageContaining("'minHoldTime'");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withMaxHoldTime(Duration.ZERO))
			.withMessageContaining("'maxHoldTime'");
	}

	@Test
	void anExceptionNamesTheLockAndKeepsTheHolderOutOfItsMessage() {
		LockNotAcquiredException ex = new LockNotAcquiredException(LockKey.of("orders", "42"), Duration.ofMillis(1_500),
				"app@host/main", Duration.ofSeconds(7));
		assertThat(ex).hasMessageContaining("orders:42").hasMessageContaining("1500 ms");
		assertThat(ex.getMessage()).doesNotContain("host");
		assertThat(ex.getHolder()).isEqualTo("app@host/main");
	}

	@Test
	void anExceptionWithoutAWaitSaysThatThereWasNone() {
		assertThat(new LockNotAcquiredException(LockKey.of("orders"), Duration.ZERO, null, null)).hasMessage(
				"Lock 'orders' was not acquired: somebody else holds it, and it was tried once, without waiting");
	}

}
