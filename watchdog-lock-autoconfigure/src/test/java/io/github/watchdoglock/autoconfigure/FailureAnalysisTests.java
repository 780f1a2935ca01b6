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
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.mock;

/**
 * Tests of what a user reads when the application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTests {

	private static final String NO_REDIS = "--spring.autoconfigure.exclude="
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
			+ "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration";

	/* Else Spring Data misses a template before. */
	private static final String NO_REPOSITORIES = "--spring.data.redis.repositories.enabled=false";

	@Test
	void missingStoreSaysBothWaysOut(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Locked.class, NO_REDIS));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is nowhere to keep locks: the application has no RedisConnectionFactory bean.")
			.contains("- Add spring-boot-starter-data-redis")
			.contains("- Set watchdog-lock.store=local");
	}

	@Test
	void missingStoreIsToldToWhoInjectsTheService(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Injecting.class, NO_REDIS));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is nowhere to keep locks: the application has no RedisConnectionFactory bean.");
	}

	@Test
	void severalConnectionFactoriesNameTheProperty(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(TwoFactories.class, NO_REPOSITORIES));
		assertThat(output).contains("several RedisConnectionFactory beans, and none of them is primary: first, second")
			.contains("Set watchdog-lock.connection-factory to the name");
	}

	@Test
	void unknownConnectionFactoryNamesThoseThatThereAre(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(TwoFactories.class, NO_REPOSITORIES, "--watchdog-lock.connection-factory=third"));
		assertThat(output)
			.contains("watchdog-lock.connection-factory is 'third', and no RedisConnectionFactory bean has that name")
			.contains("first, second");
	}

	@Test
	void wrongPropertiesAreToldAllAtOnce(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(Empty.class, "--watchdog-lock.lease-time=500ms", "--watchdog-lock.poll-interval=0s",
					"--watchdog-lock.metrics.max-names=0", "--watchdog-lock.key-prefix={a}"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("watchdog-lock.lease-time is '500ms': it is shorter than watchdog-lock.min-lease-time (1s)")
			.contains("watchdog-lock.poll-interval is '0s': it is less than 1ms")
			.contains("watchdog-lock.metrics.max-names is '0': it is not positive")
			.contains("watchdog-lock.key-prefix is '{a}'")
			.contains("watchdog-lock.lease-time: set a lease such as 30s");
	}

	@Test
	void wrongDeclarationNamesMethodAttributeAndFix(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(WrongLease.class, "--watchdog-lock.store=local"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("@DistributedLock on " + Jobs.class.getName() + ".nightly(): 'leaseTime' is '10ms'")
			.contains("shorter than watchdog-lock.min-lease-time (1s)")
			.contains("Change 'leaseTime'");
	}

	@Test
	void leaseThatLeavesNoTimeToRenewIsToldOfThePropertyAndWhatItIsMeasuredBy(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Empty.class, "--watchdog-lock.store=local",
				"--watchdog-lock.lease-time=5s", "--watchdog-lock.command-timeout=2s"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("watchdog-lock.lease-time is '5s': it leaves no time for a renewal and its repetition,"
					+ " each of which may take 2s")
			.contains("watchdog-lock.lease-time: set a lease such as 30s, or change the property");
	}

	@Test
	void leaseThatLeavesNoTimeToRenewIsToldOfTheAnnotation(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(HastyLease.class, "--watchdog-lock.store=local", "--watchdog-lock.command-timeout=800ms"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("@DistributedLock on " + Hasty.class.getName() + ".hurry(): 'leaseTime' is '2s'")
			.contains("it leaves no time for a renewal and its repetition, each of which may take 800ms")
			.contains("lower watchdog-lock.command-timeout")
			.contains("Change 'leaseTime'");
	}

	@Test
	void policiesOfHoldsThatCantBeAreToldTogether(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Empty.class, "--watchdog-lock.wait-time=-10s",
				"--watchdog-lock.max-hold-time=0s", "--watchdog-lock.long-hold-warning=-1s"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("watchdog-lock.wait-time is '-10s': the only negative value allowed is -1")
			.contains("watchdog-lock.wait-time: set a duration such as 10s, 0s to try once, or -1 to wait indefinitely")
			.contains("watchdog-lock.max-hold-time is '0s': it is less than 1ms")
			.contains("watchdog-lock.long-hold-warning is '-1s': it is less than 1ms");
	}

	@Test
	void problemOfAPropertyIsNoProblemOfAdvisors(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(WrongLease.class, "--watchdog-lock.store=local",
				"--watchdog-lock.wait-time=-10s", "--spring.aop.auto=true"));
		assertThat(output).contains("watchdog-lock.wait-time is '-10s'").doesNotContain("Advisor sorting failed");
	}

	@Test
	void adviceOrderThatIsNotANumberIsReportedAsAProperty(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(WrongLease.class, "--watchdog-lock.store=local", "--watchdog-lock.advice-order=first"));
		assertThat(output).contains("Property: watchdog-lock.advice-order").doesNotContain("Advisor sorting failed");
	}

	@Test
	void policyThatThereIsNotIsToldWithThoseThatThereAre(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(Empty.class, "--watchdog-lock.on-loss=default"));
		assertThat(output)
			.contains(
					"The property 'watchdog-lock.on-loss' is 'default' (\"watchdog-lock.on-loss\" from property source")
			.contains(", and must be one of [report, interrupt, fail].")
			.contains("Set one of these values, or remove the property.")
			.doesNotContain("WhenLost.");
	}

	@Test
	void whatNobodyReadsOfTheLocksOfANameIsToldWithWhatThereIs(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(Empty.class, "--watchdog-lock.store=local", "--watchdog-lock.locks.Shop.buy.wait-tme=5s"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The property 'watchdog-lock.locks.Shop.buy.wait-tme' does not exist. Did you mean 'wait-time'?")
			.contains(
					"write watchdog-lock.locks.<name>.<property> with one of the properties [lease-time, wait-time, ");
	}

	@Test
	void maximumThatIsNoneIsToldOfTheAnnotation(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(NoMaximum.class, "--watchdog-lock.store=local"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("@DistributedLock on " + Endless.class.getName() + ".run(): 'maxHoldTime' is '0s', and must be")
			.contains("watchdog-lock.max-hold-time");
	}

	@Test
	void skipOnAPrimitiveIsRefusedAtStartUp(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(WrongSkip.class, "--watchdog-lock.store=local"));
		assertThat(output).contains("'onContention' is SKIP, and it returns the primitive int")
			.contains("Set onContention = OnContention.FAIL");
	}

	@Test
	void misspeltKeyIsRefusedAtStartUpAndSaysWhatToWrite(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(WrongKey.class, "--watchdog-lock.store=local"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("@DistributedLock on " + Seller.class.getName()
					+ ".sell(String): 'key' is '#item', and the method has no parameter named item")
			.contains("Write #sku.");
	}

	@Test
	void misspeltKeyOfALazyBeanOrAPrototypeIsToldWhenOneIsMade() {
		SpringApplication application = new SpringApplication(LaterWrongKey.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run("--watchdog-lock.store=local")) {
			for (String bean : new String[] { "lazy", "prototype", "prototype" }) {
				assertThatException().isThrownBy(() -> context.getBean(bean))
					.havingRootCause()
					.withMessageContaining("'key' is '#item', and the method has no parameter named item");
			}
		}
	}

	@Test
	void finalClassIsRefusedAtStartUpAndSaysWhatToDo(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(FinalClass.class, "--watchdog-lock.store=local"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("@DistributedLock on " + Closed.class.getName() + ".work(): " + Closed.class.getName()
					+ " is final, so no proxy can be made that takes the lock")
			.contains("Remove 'final' from the class");
	}

	private static void start(Class<?> source, String... arguments) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run(arguments).close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Empty {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Locked {

		@Bean
		Nightly nightly() {
			return new Nightly();
		}

	}

	static class Nightly {

		@DistributedLock(name = "nightly")
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Injecting {

		@Bean
		Object shop(LockService locks) {
			return locks.toString();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoFactories {

		@Bean
		Nightly nightly() {
			return new Nightly();
		}

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
	@EnableAutoConfiguration
	static class WrongLease {

		@Bean
		Jobs jobs() {
			return new Jobs();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WrongSkip {

		@Bean
		Counter counter() {
			return new Counter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class HastyLease {

		@Bean
		Hasty hasty() {
			return new Hasty();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class NoMaximum {

		@Bean
		Endless endless() {
			return new Endless();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WrongKey {

		@Bean
		Seller seller() {
			return new Seller();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class LaterWrongKey {

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

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class FinalClass {

		@Bean
		Closed closed() {
			return new Closed();
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

	static class Endless {

		@DistributedLock(maxHoldTime = "0s")
		void run() {
		}

	}

	static class Jobs {

		@DistributedLock(leaseTime = "10ms")
		@Nullable String nightly() {
			return null;
		}

	}

	static class Counter {

		@DistributedLock(onContention = OnContention.SKIP)
		int count() {
			return 1;
		}

	}

}
