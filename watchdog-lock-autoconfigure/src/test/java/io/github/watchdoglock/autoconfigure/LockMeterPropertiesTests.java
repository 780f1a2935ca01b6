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

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the properties that configure the meters of locks, as Prometheus exports
 * them.
 */
class LockMeterPropertiesTests {

	private static final String DISTRIBUTION = "management.metrics.distribution.";

	private final ApplicationContextRunner contexts = LockContexts.local(MetricsAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class, PrometheusMetricsExportAutoConfiguration.class);

	@Test
	void renewalAndLatenessAreHistogramsByDefault() {
		this.contexts.run((context) -> assertThat(scrape(context)).contains("watchdog_lock_renewal_seconds_bucket{",
				"watchdog_lock_renewal_lateness_seconds_bucket{"));
	}

	@Test
	void renewalHistogramPropertyAlsoDisablesLatenessHistogram() {
		this.contexts.withPropertyValues(DISTRIBUTION + "percentiles-histogram.watchdog.lock.renewal=false")
			.run((context) -> assertThat(scrape(context))
				.contains("watchdog_lock_renewal_seconds_count", "watchdog_lock_renewal_lateness_seconds_count")
				.doesNotContain("_bucket{"));
	}

	@Test
	void renewalBucketPropertyAlsoSetsLatenessBuckets() {
		this.contexts
			.withPropertyValues(DISTRIBUTION + "percentiles-histogram.watchdog.lock.renewal=false",
					DISTRIBUTION + "slo.watchdog.lock.renewal=123ms", DISTRIBUTION + "slo.watchdog.lock.acquire=5ms")
			.run((context) -> assertThat(scrape(context)).contains("watchdog_lock_renewal_seconds_bucket{le=\"0.123\"}",
					"watchdog_lock_renewal_lateness_seconds_bucket{le=\"0.123\"}",
					"watchdog_lock_acquire_seconds_bucket{lock=\"a\",mode=\"exclusive\",outcome=\"acquired\",le=\"0.005\"}"));
	}

	@Test
	void namesBeyondMaxNamesAreMeteredAsOther() {
		this.contexts.withPropertyValues("watchdog-lock.metrics.max-names=2")
			.run((context) -> assertThat(scrape(context))
				.contains("watchdog_lock_held{lock=\"a\",mode=\"exclusive\"}",
						"watchdog_lock_held{lock=\"b\",mode=\"exclusive\"}",
						"watchdog_lock_held{lock=\"other\",mode=\"exclusive\"}")
				.doesNotContain("lock=\"c\""));
		this.contexts.run(
				(context) -> assertThat(scrape(context)).contains("watchdog_lock_held{lock=\"c\",mode=\"exclusive\"}"));
	}

	private static String scrape(AssertableApplicationContext context) throws InterruptedException {
		LockService locks = context.getBean(LockService.class);
		for (String name : new String[] { "a", "b", "c" }) {
			locks.acquire(LockRequest.of(name)).close();
		}
		return context.getBean(PrometheusMeterRegistry.class).scrape();
	}

}
