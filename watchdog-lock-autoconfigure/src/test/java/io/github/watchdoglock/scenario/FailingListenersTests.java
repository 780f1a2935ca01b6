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

package io.github.watchdoglock.scenario;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.event.LockEvent;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application whose listeners and span exporter throw, or block for a
 * minute, each time they are called.
 */
class FailingListenersTests {

	private static final Duration BLOCK = Duration.ofMinutes(1);

	/* Far less than the minute, and far more than a busy machine needs. */
	private static final Duration SOON = Duration.ofSeconds(20);

	@Tag("slow")
	@ParameterizedTest
	@EnumSource
	@Timeout(120)
	void locksRenewalsAndLossesContinueWhenListenersThrowOrBlock(Mood mood) throws Exception {
		long begun = System.nanoTime();
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "watchdog-lock.lease-time=1s",
					"watchdog-lock.events.acquired=true", "management.tracing.sampling.probability=1.0",
					"spring.main.banner-mode=off", "mood=" + mood)
			.run()) {
			Audience audience = application.getBean(Audience.class);
			LockService locks = application.getBean(LockService.class);
			begun = System.nanoTime();
			for (int i = 0; i < 100; i++) {
				locks.acquire(LockRequest.of("orders")).close();
			}
			handsOn(locks);
			await().atMost(SOON).until(() -> audience.called.size() == 3);
			renews(locks, application.getBean(LocalLocks.class));
			loses(locks);
			assertThat(sinceNanos(begun)).isLessThan(SOON);
			assertThat(audience.called).containsExactlyInAnyOrder("listener", "event", "exporter");
			begun = System.nanoTime();
		}
		assertThat(sinceNanos(begun)).isLessThan(SOON);
	}

	private static void handsOn(LockService locks) throws Exception {
		LockHandle first = locks.acquire(LockRequest.of("orders"));
		var next = locks.acquireAsync(LockRequest.of("orders"));
		first.close();
		next.get(SOON.toSeconds(), TimeUnit.SECONDS).close();
	}

	private static void renews(LockService locks, LocalLocks local) throws Exception {
		try (LockHandle handle = locks.acquire(LockRequest.of("orders", "renewed"))) {
			await().atMost(SOON).until(() -> local.list().stream().mapToLong(LockSnapshot::renewals).sum() > 3);
			assertThat(handle.isHeld()).isTrue();
		}
	}

	private static void loses(LockService locks) throws Exception {
		try (LockHandle forced = locks.acquire(LockRequest.of("orders", "forced"));
				LockHandle expired = locks
					.acquire(LockRequest.of("orders", "fixed").withLease(Lease.fixed(Duration.ofSeconds(1))))) {
			assertThat(locks.forceRelease(forced.key())).isTrue();
			assertThat(forced.whenLost()).succeedsWithin(SOON)
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.FORCED);
			assertThat(expired.whenLost()).succeedsWithin(SOON)
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.EXPIRED);
		}
	}

	private static Duration sinceNanos(long begun) {
		return Duration.ofNanos(System.nanoTime() - begun);
	}

	enum Mood {

		THROWING, BLOCKING

	}

	static class Audience {

		private final Set<String> called = ConcurrentHashMap.newKeySet();

		private final Mood mood;

		Audience(Mood mood) {
			this.mood = mood;
		}

		void call(String who) {
			this.called.add(who);
			if (this.mood == Mood.THROWING) {
				throw new IllegalStateException("broken on purpose");
			}
			try {
				boolean never = new CountDownLatch(1).await(BLOCK.toSeconds(), TimeUnit.SECONDS);
				assertThat(never).isFalse();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@EventListener
		void hear(LockEvent event) {
			call("event");
		}

	}

	record Listener(Audience audience) implements LockListener {

		@Override
		public void acquired(LockKey key, long token, Duration waited) {
			this.audience.call("listener");
		}

		@Override
		public void renewed(LockKey key, long token) {
			this.audience.call("listener");
		}

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.audience.call("listener");
		}

		@Override
		public void released(LockKey key, long token, Duration held) {
			this.audience.call("listener");
		}

	}

	record Exporter(Audience audience) implements SpanExporter {

		@Override
		public CompletableResultCode export(Collection<SpanData> spans) {
			this.audience.call("exporter");
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode flush() {
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode shutdown() {
			return CompletableResultCode.ofSuccess();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Audience audience(Environment environment) {
			return new Audience(environment.getRequiredProperty("mood", Mood.class));
		}

		@Bean
		LockListener listener(Audience audience) {
			return new Listener(audience);
		}

		/*
		 * As Spring Boot's: one that exports on the caller's thread would block the
		 * caller.
		 */
		@Bean
		SpanProcessor spanProcessor(Audience audience) {
			return BatchSpanProcessor.builder(new Exporter(audience)).setScheduleDelay(Duration.ofMillis(50)).build();
		}

	}

}
