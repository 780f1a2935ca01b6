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

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.mock;

/**
 * Tests for the messages that a user reads when the application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	private static final String LOCAL = "--watchdog-lock.store=local";

	private static final String NO_REDIS = "--spring.autoconfigure.exclude="
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration";

	/* Otherwise Spring Data reports first that a template is missing. */
	private static final String NO_REPOSITORIES = "--spring.data.redis.repositories.enabled=false";

	@ParameterizedTest
	@ValueSource(classes = { Nightly.class, Injecting.class })
	void missingConnectionFactoryIsReportedWithBothFixes(Class<?> source, CapturedOutput output) {
		fails(source, NO_REDIS);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Locks cannot be stored, because the application has no RedisConnectionFactory bean.",
				"- Add spring-boot-starter-data-redis", "- Set watchdog-lock.store=local");
	}

	@Test
	void severalConnectionFactoriesAreReportedWithPropertyToSet(CapturedOutput output) {
		fails(TwoFactories.class, NO_REPOSITORIES);
		assertThat(output).contains("several RedisConnectionFactory beans, and none of them is primary: first, second",
				"Set watchdog-lock.connection-factory to the name");
		fails(TwoFactories.class, NO_REPOSITORIES, "--watchdog-lock.connection-factory=third");
		assertThat(output).contains(
				"watchdog-lock.connection-factory is 'third', and no RedisConnectionFactory bean has that name",
				"first, second");
	}

	@Test
	void allWrongPropertiesAreReportedTogether(CapturedOutput output) {
		fails(Application.class, "--watchdog-lock.lease-time=500ms", "--watchdog-lock.poll-interval=0s",
				"--watchdog-lock.metrics.max-names=0", "--watchdog-lock.key-prefix={a}");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"watchdog-lock.lease-time is '500ms': it is shorter than watchdog-lock.min-lease-time (1s)",
				"watchdog-lock.poll-interval is '0s': it is less than 1ms",
				"watchdog-lock.metrics.max-names is '0': it is not positive", "watchdog-lock.key-prefix is '{a}'",
				"watchdog-lock.lease-time: set a lease such as 30s");
	}

	@Test
	void wrongAnnotationIsReportedWithMethodAttributeAndFix(CapturedOutput output) {
		fails(Jobs.class, LOCAL);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"@DistributedLock on " + Jobs.class.getName() + ".nightly(): 'leaseTime' is '10ms'",
				"shorter than watchdog-lock.min-lease-time (1s)", "Change 'leaseTime'");
	}

	@Test
	void leaseOfPropertyTooShortForRenewalIsReportedWithFix(CapturedOutput output) {
		fails(Application.class, LOCAL, "--watchdog-lock.lease-time=5s", "--watchdog-lock.command-timeout=2s");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"watchdog-lock.lease-time is '5s': it leaves no time for a renewal and its repetition,"
						+ " each of which may take 2s",
				"watchdog-lock.lease-time: set a lease such as 30s, or change the property");
	}

	@Test
	void leaseOfAnnotationTooShortForRenewalIsReportedWithFix(CapturedOutput output) {
		fails(Hasty.class, LOCAL, "--watchdog-lock.command-timeout=800ms");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"@DistributedLock on " + Hasty.class.getName() + ".hurry(): 'leaseTime' is '2s'",
				"it leaves no time for a renewal and its repetition, each of which may take 800ms",
				"lower watchdog-lock.command-timeout", "Change 'leaseTime'");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', textBlock = """
			wait-time=-10s,     watchdog-lock.wait-time is '-10s'
			advice-order=first, Property: watchdog-lock.advice-order
			""")
	void wrongPropertyIsNotReportedAsAdvisorSortingFailure(String property, String problem, CapturedOutput output) {
		fails(Jobs.class, LOCAL, "--watchdog-lock." + property, "--spring.aop.auto=true");
		assertThat(output).contains(problem).doesNotContain("Advisor sorting failed");
	}

	@Test
	void unknownPropertyIsReportedWithBracketsForDottedName(CapturedOutput output) {
		fails(Application.class, LOCAL, "--watchdog-lock.locks.Shop.buy.wait-time=5s");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"These properties do not exist: [watchdog-lock.locks.shop.buy.wait-time (\"watchdog-lock.locks.Shop"
						+ ".buy.wait-time\" from property source",
				"in brackets if it has a dot, for example watchdog-lock.locks[Shop.buy].wait-time=5s");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', textBlock = """
			wait-tiem,                   wait-time
			locks[Shop.buy].lease-tme,   lease-time
			lock.report.wait-time,       locks
			metrics.enable,              enabled
			leaders.reports.candidat,    candidate
			""")
	void unknownPropertyIsReportedWithSimilarProperty(String property, String meant, CapturedOutput output) {
		fails(Application.class, LOCAL, "--watchdog-lock." + property + "=5s");
		assertThat(output).contains("These properties do not exist", "Did you mean '" + meant + "'? Correct or remove");
	}

	@Test
	void unknownPropertyIsReportedWithoutGuessWhenNoneIsSimilar(CapturedOutput output) {
		fails(Application.class, LOCAL, "--watchdog-lock.something=5s");
		assertThat(output).contains("These properties do not exist").doesNotContain("Did you mean");
	}

	@ParameterizedTest
	@ValueSource(strings = { "wait-time", "locks.report.lease-time", "locks[Shop.buy].wait-time",
			"leaders.reports.lease-time", "fence.retention" })
	void durationWithoutUnitIsRejected(String property, CapturedOutput output) {
		fails(Application.class, LOCAL, "--seconds=10", "--watchdog-lock." + property + "=${seconds}");
		assertThat(output).contains("APPLICATION FAILED TO START", " is '10', a number without a unit (",
				"Write 10s for seconds, or 10ms for milliseconds.");
	}

	@Test
	void zeroAndMinusOneNeedNoUnitAndOtherPropertiesAreNotChecked() {
		start(Application.class, LOCAL, "--watchdog-lock.wait-time=-1", "--watchdog-lock.linger=0",
				"--watchdog-lock.locks.report.wait-time=0", "--watchdog-lock.max-id-length=100",
				"--spring.lifecycle.timeout-per-shutdown-phase=1000")
			.close();
	}

	@Test
	void wrongKeyOfLazyOrPrototypeBeanIsReportedOnCreation() {
		try (ConfigurableApplicationContext context = start(Later.class, LOCAL)) {
			for (String bean : new String[] { "lazy", "prototype", "prototype" }) {
				assertThatException().isThrownBy(() -> context.getBean(bean))
					.havingRootCause()
					.withMessageContaining("'key' is '#item', but the method has no parameter 'item'");
			}
		}
	}

	@Test
	void finalClassIsRejectedAtStartupWithFix(CapturedOutput output) {
		fails(Closed.class, LOCAL);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"@DistributedLock on " + Closed.class.getName() + ".work(): " + Closed.class.getName()
						+ " is final, so no proxy can be created that acquires the lock",
				"Remove 'final' from the class");
	}

	private static void fails(Class<?> source, String... arguments) {
		assertThatException().isThrownBy(() -> start(source, arguments).close());
	}

	private static ConfigurableApplicationContext start(Class<?> source, String... arguments) {
		SpringApplication application = new SpringApplication(Application.class, source);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Nightly {

		@DistributedLock(name = "nightly")
		void run() {
		}

	}

	record Injecting(LockService locks) {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Nightly.class)
	static class TwoFactories {

		@Bean
		RedisConnectionFactory first() {
			return mock(RedisConnectionFactory.class);
		}

		@Bean
		RedisConnectionFactory second() {
			return mock(RedisConnectionFactory.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Later {

		@Bean
		@Lazy
		Seller lazy() {
			return new Seller();
		}

		@Bean
		@Scope("prototype")
		Seller prototype() {
			return new Seller();
		}

	}

	static class Seller {

		@DistributedLock(key = "#item")
		void sell(String sku) {
		}

	}

	static final class Closed {

		@DistributedLock
		void work() {
		}

	}

	static class Hasty {

		@DistributedLock(leaseTime = "2s", renewal = Renewal.ON)
		void hurry() {
		}

	}

	static class Jobs {

		@DistributedLock(leaseTime = "10ms")
		void nightly() {
		}

	}

}
