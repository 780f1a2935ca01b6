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

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.actuate.LockHealthIndicator;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.event.LockLostEvent;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Meters, health, endpoint, log, listeners and events of fenced locks.
 */
@ExtendWith(OutputCaptureExtension.class)
class FenceObservabilityTests {

	private static final LockRequest PHONE = LockRequest.of("stock", "phone")
		.withWaitTime(Duration.ZERO)
		.withFenced(true);

	private final ApplicationContextRunner contexts = LockContexts
		.local(DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
				JdbcTemplateAutoConfiguration.class)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Losses.class)
		.withPropertyValues("spring.datasource.generate-unique-name=true",
				"management.endpoints.web.exposure.include=*");

	@Test
	void raisedAndOvertakenFencesAreCountedOnceEach() {
		run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(PHONE).close();
			assertOutcomes(context, 1, 0, 0, 0);
			try (LockHandle handle = locks.acquire(PHONE); LockHandle again = locks.acquire(PHONE)) {
				assertThat(again.fencingToken()).isEqualTo(handle.fencingToken());
				transact(context);
				assertOutcomes(context, 2, 0, 0, 0);
				context.getBean(AcquisitionGuard.class).overtake(PHONE.key());
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transact(context));
				assertOutcomes(context, 2, 1, 0, 0);
			}
			locks.acquire(PHONE.withFenced(false)).close();
			assertOutcomes(context, 2, 1, 0, 0);
		});
	}

	@Test
	void raiseBelowFenceOfLaterHolderIsCountedAsOvertaken() {
		run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(PHONE).close();
			jdbc(context).update("update watchdog_lock_fence set token = ?", Long.MAX_VALUE);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> locks.acquire(PHONE))
				.returns(LockLoss.Reason.OVERTAKEN, LockLostException::getReason);
			assertOutcomes(context, 1, 1, 0, 0);
			assertThat(locks.find(PHONE.key())).isEmpty();
		});
	}

	@Test
	void fenceRaiseThatTimesOutIsCountedAsBusy() {
		run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(PHONE).close();
			try (Connection earlier = context.getBean(DataSource.class).getConnection()) {
				earlier.setAutoCommit(false);
				try (PreparedStatement look = earlier
					.prepareStatement("select token from watchdog_lock_fence for update")) {
					look.executeQuery();
					assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> locks.acquire(PHONE))
						.withMessageContaining("a transaction of an earlier holder is still open");
				}
				earlier.rollback();
				earlier.setAutoCommit(true);
			}
			assertOutcomes(context, 1, 0, 1, 0);
			assertThat(timer(context, "busy").totalTime(TimeUnit.MILLISECONDS)).isGreaterThan(900);
		});
	}

	@Test
	void missingTableIsCountedAndShownInHealthUntilRestored() {
		run((context) -> {
			LockService locks = context.getBean(LockService.class);
			locks.acquire(PHONE).close();
			assertThat(health(context).getDetails()).doesNotContainKey("fence");
			jdbc(context).execute("alter table watchdog_lock_fence rename to elsewhere");
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.acquire(PHONE))
				.withMessageContainingAll("Lock 'stock:phone' was not acquired: its fence could not be raised: ",
						"WATCHDOG_LOCK_FENCE");
			assertOutcomes(context, 1, 0, 0, 1);
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).hasEntrySatisfying("fence",
					(problem) -> assertThat(problem).asString().contains("WATCHDOG_LOCK_FENCE"));
			jdbc(context).execute("alter table elsewhere rename to watchdog_lock_fence");
			locks.acquire(PHONE).close();
			assertThat(health(context).getDetails()).doesNotContainKey("fence");
			assertOutcomes(context, 2, 0, 0, 1);
		});
	}

	@Test
	void overtakenHoldIsReportedOnceToListenersEventsMetersAndTheLog(CapturedOutput output) {
		run((context) -> {
			try (LockHandle handle = context.getBean(LockService.class).acquire(PHONE)) {
				context.getBean(AcquisitionGuard.class).overtake(PHONE.key());
				for (int i = 0; i < 2; i++) {
					assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transact(context))
						.returns(LockLoss.Reason.OVERTAKEN, LockLostException::getReason)
						.withMessageContaining("a later holder has raised the fence in the database, so nothing more is"
								+ " committed under it");
				}
				LockLoss loss = new LockLoss(PHONE.key(), handle.fencingToken(), LockLoss.Reason.OVERTAKEN);
				assertThat(handle.loss()).contains(loss);
				Losses losses = context.getBean(Losses.class);
				await().untilAsserted(() -> {
					assertThat(losses.listened).containsExactly(loss);
					assertThat(losses.published).containsExactly(LockLoss.Reason.OVERTAKEN);
				});
			}
			assertThat(context.getBean(MeterRegistry.class)
				.get("watchdog.lock.lost")
				.tag("lock", "stock")
				.tag("reason", "overtaken")
				.counter()
				.count()).isOne();
		});
		assertThat(output)
			.containsOnlyOnce(": a later holder has raised its fence (overtaken). Its transactions are rolled back");
	}

	@Test
	void endpointShowsWhichHoldsAreFenced() {
		run((context) -> {
			LockService locks = context.getBean(LockService.class);
			try (LockHandle fenced = locks.acquire(PHONE);
					LockHandle unfenced = locks.acquire(LockRequest.of("orders", "42"))) {
				assertThat(fenced.isHeld() && unfenced.isHeld()).isTrue();
				assertThat(context.getBean(LocksEndpoint.class).locks(null, null).held())
					.extracting((held) -> held.name() + " " + held.fenced())
					.containsExactlyInAnyOrder("stock true", "orders false");
			}
		});
	}

	@Test
	void lockThatWasNeverFencedCannotBeOvertaken() {
		run((context) -> {
			context.getBean(LockService.class).acquire(LockRequest.of("stock", "phone")).close();
			context.getBean(LockService.class).acquire(LockRequest.of("other").withFenced(true)).close();
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(AcquisitionGuard.class).overtake(PHONE.key()))
				.withMessage("The lock has no row in watchdog_lock_fence: no fenced method has begun under it. Call the"
						+ " method first");
		});
	}

	private void run(ContextConsumer<AssertableApplicationContext> test) {
		this.contexts.run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private static void transact(ApplicationContext context) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> jdbc(context).execute("select 1"));
	}

	private static JdbcTemplate jdbc(ApplicationContext context) {
		return context.getBean(JdbcTemplate.class);
	}

	private static Health health(ApplicationContext context) {
		return context.getBean(LockHealthIndicator.class).health();
	}

	private static void assertOutcomes(ApplicationContext context, long raised, long overtaken, long busy,
			long failed) {
		assertThat(List.of("raised", "overtaken", "busy", "failed"))
			.extracting((outcome) -> timer(context, outcome).count())
			.containsExactly(raised, overtaken, busy, failed);
	}

	private static Timer timer(ApplicationContext context, String outcome) {
		return context.getBean(MeterRegistry.class).timer("watchdog.lock.fence", "lock", "stock", "outcome", outcome);
	}

	/**
	 * Losses that the application is notified of.
	 */
	static class Losses implements LockListener {

		private final List<LockLoss> listened = new CopyOnWriteArrayList<>();

		private final List<LockLoss.Reason> published = new CopyOnWriteArrayList<>();

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.listened.add(loss);
		}

		@EventListener
		void on(LockLostEvent event) {
			this.published.add(event.reason());
		}

	}

}
