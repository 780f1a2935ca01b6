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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.actuate.RunningApplication;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.SlowWork;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application with a web server, Prometheus and tracing, and for the data
 * that its operators see about its locks.
 */
class ObservedApplicationTests {

	private static final InMemorySpanExporter spans = InMemorySpanExporter.create();

	@AutoClose
	private static final ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
		.properties(RunningApplication.WITHOUT_SECURITY)
		.run("--server.port=0", "--watchdog-lock.store=local", "--watchdog-lock.lease-time=1s",
				"--management.endpoints.web.exposure.include=metrics,prometheus",
				"--management.tracing.sampling.probability=1.0",
				"--management.metrics.distribution.slo.watchdog.lock.acquire=5ms,50ms",
				"--management.metrics.distribution.percentiles-histogram.watchdog.lock.renewal.lateness=false",
				"--spring.main.banner-mode=off");

	private final HttpClient client = HttpClient.newHttpClient();

	private final MeterRegistry registry = application.getBean(MeterRegistry.class);

	@BeforeEach
	void reset() {
		spans.reset();
	}

	@Test
	void prometheusEndpointHasExactlyExpectedMetersAndTags() throws Exception {
		get("/order?id=42&millis=700");
		application.getBean(LockService.class).find(LockKey.of("orders", "42"));
		String text = get("/actuator/prometheus");
		Set<String> labels = new TreeSet<>();
		Matcher series = Pattern.compile("(?m)^(watchdog_lock_\\w+)(?:\\{([^}]*)})? ").matcher(text);
		while (series.find()) {
			String names = (series.group(2) != null) ? Pattern.compile(",(?=\\w+=)")
				.splitAsStream(series.group(2))
				.map((label) -> label.substring(0, label.indexOf('=')))
				.filter((label) -> !label.equals("le"))
				.sorted()
				.collect(Collectors.joining(",")) : "";
			labels.add(series.group(1) + "{" + names + "}");
		}
		assertThat(labels).containsExactlyInAnyOrder("watchdog_lock_acquire_seconds_bucket{lock,mode,outcome}",
				"watchdog_lock_acquire_seconds_count{lock,mode,outcome}",
				"watchdog_lock_acquire_seconds_max{lock,mode,outcome}",
				"watchdog_lock_acquire_seconds_sum{lock,mode,outcome}",
				"watchdog_lock_commands_seconds_count{command,outcome}",
				"watchdog_lock_commands_seconds_max{command,outcome}",
				"watchdog_lock_commands_seconds_sum{command,outcome}", "watchdog_lock_handoffs_total{lock,scope}",
				"watchdog_lock_held{lock,mode}", "watchdog_lock_hold_seconds_count{lock,mode,outcome}",
				"watchdog_lock_hold_seconds_max{lock,mode,outcome}",
				"watchdog_lock_hold_seconds_sum{lock,mode,outcome}", "watchdog_lock_idle{lock}",
				"watchdog_lock_long_holds_total{lock}", "watchdog_lock_lost_total{lock,mode,reason}",
				"watchdog_lock_releases_repeated_total{outcome}", "watchdog_lock_renewal_lateness_seconds_count{}",
				"watchdog_lock_renewal_lateness_seconds_max{}", "watchdog_lock_renewal_lateness_seconds_sum{}",
				"watchdog_lock_renewal_seconds_bucket{}", "watchdog_lock_renewal_seconds_count{}",
				"watchdog_lock_renewal_seconds_max{}", "watchdog_lock_renewal_seconds_sum{}",
				"watchdog_lock_renewals_total{lock,outcome}", "watchdog_lock_unconfirmed_total{lock}",
				"watchdog_lock_waiting{lock,mode}", "watchdog_lock_watchdog_silent_seconds{}");
		assertThat(text).containsPattern(
				"watchdog_lock_acquire_seconds_bucket\\{lock=\"orders\",mode=\"exclusive\",outcome=\"acquired\",le=\"0.05\"}")
			.containsPattern(
					"watchdog_lock_hold_seconds_count\\{lock=\"orders\",mode=\"exclusive\",outcome=\"released\"} [1-9]")
			.containsPattern("watchdog_lock_renewals_total\\{lock=\"orders\",outcome=\"renewed\"} [1-9]")
			.containsPattern("watchdog_lock_renewal_seconds_count [1-9]")
			.containsPattern("watchdog_lock_renewal_lateness_seconds_count [1-9]")
			.containsPattern("watchdog_lock_commands_seconds_count\\{command=\"find\",outcome=\"ok\"} [1-9]")
			.contains("watchdog_lock_commands_seconds_count{command=\"force\",outcome=\"timeout\"} 0");
	}

	@Test
	void observedHoldIsCountedOnceInMeters() throws Exception {
		get("/order?id=first&millis=0");
		await().until(() -> ended("watchdog.lock.hold") == 1);
		reset();
		long before = this.registry.get("watchdog.lock.hold")
			.tags("lock", "orders", "outcome", "released")
			.timer()
			.count();
		get("/order?id=once&millis=0");
		await().until(() -> ended("watchdog.lock.hold") == 1);
		assertThat(this.registry.find("watchdog.lock.hold").tag("lock", "orders").timers())
			.extracting((timer) -> timer.getId().getTag("outcome"))
			.containsExactlyInAnyOrder("released", "lost");
		assertThat(
				this.registry.get("watchdog.lock.hold").tags("lock", "orders", "outcome", "released").timer().count())
			.isEqualTo(before + 1);
		assertThat(this.registry.find("watchdog.lock.hold.active").meters()).isEmpty();
		assertThat(this.registry.find("http.server.requests").meters()).isNotEmpty();
	}

	@Test
	void waitAndHoldAreSpansOfRequestAndRenewalsAreNot() throws Exception {
		get("/order?id=traced&millis=700");
		await().until(() -> ended("watchdog.lock.hold") == 1 && ended("http get /order") == 1);
		SpanData request = span("http get /order");
		SpanData acquire = span("watchdog.lock.acquire");
		SpanData hold = span("watchdog.lock.hold");
		SpanData work = span("work");
		assertThat(acquire.getParentSpanId()).isEqualTo(request.getSpanId());
		assertThat(hold.getParentSpanId()).isEqualTo(request.getSpanId());
		assertThat(work.getParentSpanId()).isEqualTo(hold.getSpanId());
		assertThat(attribute(acquire, "lock")).isEqualTo("orders");
		assertThat(attribute(acquire, "outcome")).isEqualTo("acquired");
		assertThat(attribute(hold, "lock.key")).isEqualTo("traced");
		assertThat(Long.parseLong(attribute(hold, "lock.token"))).isPositive();
		assertThat(Duration.ofNanos(hold.getEndEpochNanos() - hold.getStartEpochNanos()))
			.isGreaterThanOrEqualTo(Duration.ofMillis(700));
		assertThat(spans.getFinishedSpanItems()).hasSize(4)
			.allSatisfy((span) -> assertThat(span.getTraceId()).isEqualTo(request.getTraceId()));
	}

	private static long ended(String name) {
		return spans.getFinishedSpanItems().stream().filter((span) -> span.getName().equals(name)).count();
	}

	private static SpanData span(String name) {
		List<SpanData> named = spans.getFinishedSpanItems()
			.stream()
			.filter((span) -> span.getName().equals(name))
			.toList();
		assertThat(named).as(name).hasSize(1);
		return named.get(0);
	}

	private static String attribute(SpanData span, String name) {
		return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
	}

	private String get(String path) throws Exception {
		HttpResponse<String> response = response(path);
		assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
		return response.body();
	}

	private HttpResponse<String> response(String path) throws IOException, InterruptedException {
		int port = ((WebServerApplicationContext) application).getWebServer().getPort();
		return this.client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Orders orders(ObservationRegistry observations) {
			return new Orders(observations);
		}

		@Bean
		OrderController orderController(Orders orders) {
			return new OrderController(orders);
		}

		@Bean
		SpanProcessor spanProcessor() {
			return SimpleSpanProcessor.create(spans);
		}

	}

	static class Orders {

		private final ObservationRegistry observations;

		Orders(ObservationRegistry observations) {
			this.observations = observations;
		}

		@DistributedLock(name = "orders", key = "#p0")
		String place(String id, long millis) throws InterruptedException {
			return Observation.createNotStarted("work", this.observations).observeChecked(() -> {
				SlowWork.take(Duration.ofMillis(millis));
				return "placed";
			});
		}

	}

	@RestController
	record OrderController(Orders orders) {

		@GetMapping("/order")
		String order(@RequestParam("id") String id, @RequestParam("millis") long millis) throws InterruptedException {
			return this.orders.place(id, millis);
		}

	}

}
