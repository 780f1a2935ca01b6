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

package io.github.watchdoglock.test;

import java.time.Duration;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.annotation.LockedJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link AutoConfigureTestLocks} and {@link TestLocks}, as a user writes them.
 */
@SpringBootTest(classes = AutoConfigureTestLocksTests.Application.class,
		properties = { "spring.application.name=shop", "watchdog-lock.locks.flash-sale.wait-time=50ms" })
@AutoConfigureTestLocks
@ExtendWith(OutputCaptureExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AutoConfigureTestLocksTests {

	private static final LockKey PHONE = LockKey.of("flash-sale", "phone");

	private static final LockKey ROLE = LockKey.ofRole("reports");

	@Autowired
	private Shop shop;

	@Autowired
	private TestLocks locks;

	@Autowired
	private LeaderElection election;

	@MockitoBean
	private Payment payment;

	@Test
	@Order(1)
	void annotatedMethodHoldsLockOnlyDuringCall() {
		willAnswer((call) -> this.locks.isTaken(PHONE)).given(this.payment).take();
		assertThat(this.shop.buy("phone")).as("key is held while the method runs (line 92: after the call)").isTrue();
		assertThat(this.locks.acquired()).containsExactly(PHONE);
		assertThat(this.locks.isTaken(PHONE)).isFalse();
	}

	@Test
	@Order(2)
	void annotatedMethodFailsWhileOtherInstanceHoldsLock() {
		this.locks.holdElsewhere(PHONE);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shop.buy("phone"))
			.satisfies((ex) -> assertThat(ex.getHolder()).startsWith("another instance"));
		then(this.payment).should(never()).take();
		given(this.payment.take()).willReturn(true);
		assertThat(this.shop.buy("tablet")).isTrue();
		assertThat(this.locks.acquired()).containsExactly(LockKey.of("flash-sale", "tablet"));
	}

	@Test
	void heldLockWithUnknownNameIsLoggedWithKnownNames(CapturedOutput output) {
		this.locks.holdElsewhere(LockKey.of("flash-sal", "phone"));
		this.locks.holdElsewhere(PHONE);
		this.locks.reset();
		assertThat(output)
			.contains("TestLocks.holdElsewhere had no effect, because the application has not asked for a lock with"
					+ " the name [flash-sal] so far. If the name is wrong, correct it in the test. The lock names"
					+ " that are known so far are [", "flash-sale");
	}

	@Test
	void heldLockWithKnownNameIsNotLogged(CapturedOutput output, @Autowired LockService service)
			throws InterruptedException {
		this.locks.holdElsewhere(PHONE);
		LockKey inCode = LockKey.of("in-code");
		this.locks.holdElsewhere(inCode);
		assertThat(service.tryAcquire(LockRequest.of(inCode).withWaitTime(Duration.ZERO))).isEmpty();
		this.locks.reset();
		assertThat(output).doesNotContain("holdElsewhere");
	}

	@Test
	@Order(3)
	void previousTestLeavesNoHeldOrAcquiredLocks() {
		assertThat(this.locks.acquired()).isEmpty();
		assertThat(this.locks.isTaken(PHONE)).isFalse();
	}

	@Test
	@Order(4)
	void jobIsSkippedDuringMinimumHoldTimeOfFirstRun() {
		assertThat(this.shop.nightly()).isEqualTo("done");
		assertThat(this.shop.nightly()).isNull();
	}

	@Test
	@Order(5)
	void minimumHoldTimeEndsBeforeNextTest() {
		assertThat(this.shop.nightly()).isEqualTo("done");
	}

	@Test
	@Order(6)
	void applicationLosesLeadershipWhenOtherInstanceHoldsRole() {
		await().until(() -> this.shop.lead() != null);
		this.locks.holdElsewhere(ROLE);
		assertThat(this.election.of("reports").isLeader()).isFalse();
		assertThat(this.shop.lead()).isNull();
		assertThat(this.locks.acquired()).isEmpty();
	}

	@Test
	@Order(7)
	void applicationRegainsLeadershipInNextTest() {
		assertThat(this.locks.isTaken(ROLE)).as("application holds its role again at the start of the test").isTrue();
		await().until(() -> this.election.of("reports").isLeader());
		assertThat(this.shop.lead()).isEqualTo("led");
	}

	@Test
	@Order(8)
	void applicationLeadsNewTermAfterLostTerm() {
		Leadership leadership = this.election.of("reports");
		await().until(leadership::isLeader);
		long term = leadership.term().orElseThrow().number();
		this.locks.lose(ROLE);
		await().until(() -> leadership.term().map(LeaderTerm::number).orElse(term) > term);
	}

	@Test
	void roleIsHeldOnceByOtherInstanceAndAgainAfterRelease() {
		await().until(() -> this.election.of("reports").isLeader());
		LockHandle elsewhere = this.locks.holdElsewhere(ROLE);
		assertThatIllegalStateException().isThrownBy(() -> this.locks.holdElsewhere(ROLE))
			.withMessageContaining("reports' is held by another instance");
		elsewhere.close();
		await().until(() -> this.election.of("reports").isLeader());
		assertThat(this.locks.holdElsewhere(ROLE).isHeld()).isTrue();
	}

	@Test
	void annotatedMethodFailsWhenLockIsLostDuringCall() {
		willAnswer((call) -> {
			this.locks.lose(PHONE);
			return true;
		}).given(this.payment).take();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.buy("phone"));
	}

	@Test
	void methodIsSkippedWhileLockIsHeldAndRunsAfterRelease() {
		LockHandle elsewhere = this.locks.holdElsewhere(LockKey.of("report"));
		assertThat(this.shop.report()).isNull();
		elsewhere.close();
		assertThat(this.shop.report()).isEqualTo("done");
	}

	@Test
	void loseReleasesLockOfOtherInstance() {
		LockHandle elsewhere = this.locks.holdElsewhere(PHONE);
		this.locks.lose(PHONE);
		assertThat(elsewhere.isHeld()).isFalse();
		assertThat(this.locks.isTaken(PHONE)).isFalse();
	}

	@Test
	void loseOfFreeKeyAndHoldOfHeldKeyAreRejected() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.lose(PHONE))
			.withMessageContaining("'flash-sale:phone' is not held");
		willAnswer((call) -> {
			assertThatIllegalStateException().isThrownBy(() -> this.locks.holdElsewhere(PHONE))
				.withMessageContaining("'flash-sale:phone' is held by shop@");
			return true;
		}).given(this.payment).take();
		assertThat(this.shop.buy("phone")).isTrue();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Shop shop(Payment payment) {
			return new Shop(payment);
		}

	}

	static class Shop {

		private final Payment payment;

		Shop(Payment payment) {
			this.payment = payment;
		}

		@DistributedLock(name = "flash-sale", key = "#sku", onLoss = OnLoss.FAIL)
		boolean buy(String sku) {
			return this.payment.take();
		}

		@DistributedLock(name = "report", waitTime = "0s", onContention = OnContention.SKIP)
		@Nullable String report() {
			return "done";
		}

		@LeaderOnly("reports")
		@Nullable String lead() {
			return "led";
		}

		@LockedJob(name = "nightly", minHoldTime = "30s")
		@Nullable String nightly() {
			return "done";
		}

	}

	interface Payment {

		boolean take();

	}

}
