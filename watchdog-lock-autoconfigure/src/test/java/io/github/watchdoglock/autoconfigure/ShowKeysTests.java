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

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.event.LockEvent;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the id of a lock is hidden in all output if it is a secret.
 */
class ShowKeysTests {

	private static final String SECRET = "sesame-4711";

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private final ApplicationContextRunner contexts = LockContexts
		.plain(DataRedisAutoConfiguration.class, ObservationAutoConfiguration.class)
		.withPropertyValues("spring.data.redis.host=127.0.0.1", "watchdog-lock.lease-time=5s",
				"watchdog-lock.command-timeout=1s", "watchdog-lock.long-hold-warning=1ms",
				"watchdog-lock.events.acquired=true", "management.endpoints.web.exposure.include=*",
				"management.endpoint.locks.show-values=always")
		.withBean(Work.class)
		.withBean(Witness.class);

	@ParameterizedTest
	@CsvSource({ "always, sesame-4711, true", "hashed, '#04f1ace44245', false", "never, '******', false" })
	void keysAreShownHashedOrHiddenInAllOutputs(String shown, String text, boolean inClear) {
		try (Logs logs = new Logs()) {
			this.contexts
				.withPropertyValues("watchdog-lock.show-keys=" + shown, "spring.data.redis.port=" + redis.port())
				.run((context) -> {
					Witness witness = context.getBean(Witness.class);
					await().ignoreExceptions().until(() -> context.getBean(Work.class).run(SECRET, witness::mdc));
					contend(context, witness);
					lose(context, witness);
					fail(context, witness);
					await().untilAsserted(() -> assertThat(witness.heard).containsKeys("mdc", "event LockAcquiredEvent",
							"event LockLostEvent", "event LockReleaseFailedEvent", "event LockLongHoldEvent", "audit",
							"exception LockNotAcquiredException", "exception LockLostException",
							"exception LockInterruptedException", "exception LockStoreException",
							"span watchdog.lock.acquire", "span watchdog.lock.hold", "listener", "snapshot"));
					await().until(() -> logs.texts().contains("could not be released"));
					witness.heard.put("log", logs.texts());
					assertThat(witness.heard).allSatisfy((what, said) -> {
						assertThat(said.contains(SECRET)).as(what + ": " + said).isEqualTo(inClear);
						assertThat(said).as(what).contains(text).contains("orders");
					});
				});
		}
	}

	private static void contend(ApplicationContext context, Witness witness) throws Exception {
		Work work = context.getBean(Work.class);
		try (LockHandle handle = elsewhere(context)) {
			assertThat(handle.isHeld()).isTrue();
			witness.caught(LockNotAcquiredException.class, () -> work.run(SECRET, () -> {
			}));
			assertThat(work.skipped(SECRET)).isNull();
			witness.heard.put("snapshot", context.getBean(LocalLocks.class).list().toString());
			Thread.currentThread().interrupt();
			witness.caught(LockInterruptedException.class, () -> work.run(SECRET, () -> {
			}));
			Thread.currentThread().interrupt();
			witness.caught(LockInterruptedException.class,
					() -> context.getBean(LockService.class).execute(request(), (mine) -> ""));
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	private static void lose(ApplicationContext context, Witness witness) {
		witness.caught(LockLostException.class, () -> context.getBean(Work.class).run(SECRET, () -> {
			await().until(() -> witness.heard.containsKey("event LockLongHoldEvent"));
			context.getBean(LocksEndpoint.class).forceRelease("orders", SECRET);
			await().until(() -> context.getBean(LocalLocks.class).current().stream().noneMatch(LockHandle::isHeld));
		}));
	}

	private static void fail(ApplicationContext context, Witness witness) throws Exception {
		try (LockHandle handle = elsewhere(context)) {
			assertThat(handle.isHeld()).isTrue();
			redis.stop();
		}
		try {
			witness.caught(LockStoreException.class, () -> context.getBean(Work.class).run(SECRET, () -> {
			}));
			witness.caught(LockStoreException.class, () -> context.getBean(LockService.class).find(request().key()));
		}
		finally {
			redis.start();
		}
	}

	/* Held without a thread, so that each caller has to acquire it. */
	private static LockHandle elsewhere(ApplicationContext context) throws Exception {
		return context.getBean(LockService.class).acquireAsync(request().withWaitTime(Duration.ofSeconds(20))).get();
	}

	private static LockRequest request() {
		return LockRequest.of("orders", SECRET);
	}

	static class Work {

		@DistributedLock(name = "orders", key = "#p0", waitTime = "0s", onLoss = OnLoss.FAIL)
		boolean run(String id, Runnable work) {
			work.run();
			return true;
		}

		@DistributedLock(name = "orders", key = "#p0", waitTime = "0s", onContention = OnContention.SKIP)
		@Nullable String skipped(String id) {
			return "done";
		}

	}

	/**
	 * Collects all notifications about locks, by their source.
	 */
	static class Witness implements LockListener, ObservationHandler<Observation.Context> {

		final Map<String, String> heard = new ConcurrentHashMap<>();

		void mdc() {
			this.heard.put("mdc", Objects.requireNonNull(MDC.getCopyOfContextMap()).toString());
		}

		void caught(Class<? extends LockException> type, Runnable call) {
			assertThatExceptionOfType(type).isThrownBy(call::run).satisfies((ex) -> {
				for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
					if (cause == ex || String.valueOf(cause.getMessage()).contains("orders")) {
						this.heard.merge("exception " + ex.getClass().getSimpleName(), cause.toString(),
								String::concat);
					}
				}
			});
		}

		@EventListener
		void event(LockEvent event) {
			this.heard.put("event " + event.getClass().getSimpleName(), event.toString());
		}

		@EventListener
		void audit(AuditApplicationEvent event) {
			this.heard.put("audit", event.toString() + event.getAuditEvent());
		}

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.heard.put("listener", loss.toString());
		}

		@Override
		public void acquired(LockKey key, long token, Duration waited) {
			this.heard.put("acquired", key.toString());
		}

		@Override
		public void onStop(Observation.Context context) {
			this.heard.put("span " + context.getName(), context + " " + context.getAllKeyValues() + context.getError());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	/**
	 * Collects the log lines of this project with all their data.
	 */
	private static final class Logs extends AppenderBase<ILoggingEvent> implements AutoCloseable {

		private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.watchdoglock");

		private final @Nullable Level level = this.logger.getLevel();

		private final ConcurrentLinkedQueue<String> texts = new ConcurrentLinkedQueue<>();

		Logs() {
			this.logger.setLevel(Level.TRACE);
			setContext(this.logger.getLoggerContext());
			start();
			this.logger.addAppender(this);
		}

		@Override
		protected void append(ILoggingEvent event) {
			StringBuilder text = new StringBuilder(event.getFormattedMessage()).append(event.getMDCPropertyMap());
			for (IThrowableProxy ex = event.getThrowableProxy(); ex != null; ex = ex.getCause()) {
				text.append(" <- ").append(ex.getMessage());
			}
			this.texts.add(text.toString());
		}

		String texts() {
			return this.texts.stream().collect(Collectors.joining("\n"));
		}

		@Override
		public void close() {
			this.logger.detachAppender(this);
			this.logger.setLevel(this.level);
		}

	}

}
