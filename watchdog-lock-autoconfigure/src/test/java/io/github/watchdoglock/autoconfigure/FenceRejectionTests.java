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

import java.util.Map;

import javax.sql.DataSource;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.HikariCheckpointRestoreLifecycle;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.datasource.lookup.SingleDataSourceLookup;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that locks that cannot be fenced are rejected, at startup if that is known by
 * then, with the cause and the fix.
 */
@ExtendWith(OutputCaptureExtension.class)
class FenceRejectionTests {

	private static final LockRequest PHONE = LockRequest.of("stock", "phone").withFenced(true);

	@ParameterizedTest
	@ValueSource(strings = { "watchdog-lock.fenced=true", "watchdog-lock.locks.stock.fenced=true" })
	void reactiveMethodFencedByPropertyIsRejectedNamingProperty(String property, CapturedOutput output) {
		fails(Unfenced.class, property);
		assertThat(output).contains(
				Unfenced.class.getName() + ".sell(): it is fenced by the properties, and its result is completed"
						+ " later: only transactions of the thread that calls the method are fenced",
				"Set watchdog-lock.locks.stock.fenced=false for this lock.");
	}

	@Test
	void applicationWithoutADataSourceDoesNotStart(CapturedOutput output) {
		fails(Shop.class, "spring.autoconfigure.exclude="
				+ "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
		assertThat(output).contains("A lock is fenced, and the application has no DataSource bean.",
				"Leave out 'fenced', or add the database whose transactions it fences.");
	}

	@Test
	void severalDataSourcesAreRejectedUnlessPropertyNamesOne(CapturedOutput output) {
		fails(TwoDatabases.class);
		assertThat(output).contains(
				"A lock is fenced, and there are several DataSource beans, none of which is primary: orders,"
						+ " payments.",
				"Set watchdog-lock.fence.data-source to the name of the one whose transactions are fenced.");
		fails(TwoDatabases.class, "watchdog-lock.fence.data-source=stock");
		assertThat(output).contains("watchdog-lock.fence.data-source is 'stock', and no DataSource bean has that name."
				+ " Existing beans: orders, payments");
		start(TwoDatabases.class, "watchdog-lock.fence.data-source=orders").close();
	}

	@Test
	void missingFenceTableIsReportedWithScriptAndProperty(CapturedOutput output) {
		fails(Shop.class, "watchdog-lock.fence.initialize-schema=never");
		assertThat(output).contains("The table 'watchdog_lock_fence' of fenced locks cannot be read: ",
				"Set watchdog-lock.fence.initialize-schema=always, or create the table with the script"
						+ " io/github/watchdoglock/fence/schema-<database>.sql of this library.");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void routingDataSourceIsRejectedUnlessTrusted(boolean proxied, CapturedOutput output) {
		fails(Routing.class, "proxied=" + proxied);
		assertThat(output)
			.contains("A lock is fenced, and the application has a routing DataSource, which may lead transactions and"
					+ " the fence to different databases.", "set watchdog-lock.fence.trusted=true.");
		start(Routing.class, "watchdog-lock.fence.trusted=true").close();
	}

	@Test
	void fencedMethodWithoutSpringJdbcIsRejectedAtStartup() {
		withoutJdbc().withUserConfiguration(Shop.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(LockConfigurationException.class, (failure) -> {
					assertThat(failure).hasMessage("A lock is fenced, and spring-jdbc or Spring Boot's support for it"
							+ " is not on the class path.");
					assertThat(failure.getAction())
						.isEqualTo("Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa, and a database; or"
								+ " leave out 'fenced'.");
				}));
	}

	@Test
	void fencedRequestWithoutSpringJdbcIsRejected() {
		withoutJdbc().run((context) -> {
			assertThat(context).hasNotFailed();
			LockService locks = context.getBean(LockService.class);
			assertThatIllegalStateException().isThrownBy(() -> locks.acquire(PHONE))
				.withMessage(
						"Lock 'stock:phone' cannot be fenced: spring-jdbc or Spring Boot's support for it is not on"
								+ " the class path. Add spring-boot-starter-jdbc and a database, or leave out 'fenced'");
			assertThat(locks.find(PHONE.key())).isEmpty();
		});
	}

	@Test
	void fencedLockInsideTransactionIsRejectedWithAlternatives() {
		try (ConfigurableApplicationContext application = start(Shop.class)) {
			TransactionTemplate transaction = new TransactionTemplate(
					application.getBean(PlatformTransactionManager.class));
			Shop shop = application.getBean(Shop.class);
			assertThatIllegalStateException()
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> shop.sell()))
				.withMessage("Lock 'stock' is fenced, and must be acquired before the transaction begins, but this"
						+ " thread is in a transaction already. Acquire it in the outermost transactional method,"
						+ " together with all other fenced locks, or let the locked method begin its own transaction"
						+ " (Propagation.REQUIRES_NEW). Annotate a @Transactional test with @Transactional(propagation"
						+ " = Propagation.NOT_SUPPORTED)");
			shop.sell();
		}
	}

	@Test
	void fencedRequestForPermitsReadingOrLateReleaseIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> PHONE.withPermits(3))
			.withMessage("Lock 'stock:phone' is fenced, and requested with permits: only one holder at a time can be"
					+ " fenced. Use withFenced(false), or an exclusive lock");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.of("stock", "phone").withMode(LockMode.READ).withFenced(true))
			.withMessage("Lock 'stock:phone' is fenced, and requested for reading: only one holder at a time can be"
					+ " fenced. Use withFenced(false), or an exclusive lock");
		assertThatIllegalArgumentException().isThrownBy(PHONE::withReleaseAfterTransaction)
			.withMessage("Lock 'stock:phone' is fenced, and requested with withReleaseAfterTransaction(): a fenced lock"
					+ " must be acquired before its transaction begins. Use one of the two");
		assertThat(PHONE.withMode(LockMode.WRITE).withPermits(0).fenced()).isTrue();
		assertThat(PHONE.withPermits(1).fenced()).isTrue();
		assertThat(PHONE.withFenced(false).withPermits(3).withFenced(false).permits()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "watchdog-lock.fenced=true", "watchdog-lock.locks.stock.fenced=true", "of=the request" })
	void asynchronousRequestOfFencedLockIsRejected(String property) {
		try (ConfigurableApplicationContext application = start(Shop.class, property)) {
			LockService locks = application.getBean(LockService.class);
			LockRequest request = property.startsWith("of") ? PHONE : LockRequest.of("stock", "phone");
			assertThat(locks.acquireAsync(request)).isCompletedExceptionally();
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> locks.acquireAsync(request).join())
				.havingCause()
				.isInstanceOf(IllegalArgumentException.class)
				.withMessage("Lock 'stock:phone' is fenced, and cannot be acquired asynchronously: the transactions of"
						+ " its thread are fenced. Use acquire, tryAcquire or execute, or withFenced(false)");
			locks.acquireAsync(request.withFenced(false)).join().close();
			assertThat(locks.find(request.key())).isEmpty();
		}
	}

	private static ApplicationContextRunner withoutJdbc() {
		return LockContexts.local(AopAutoConfiguration.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.jdbc"));
	}

	private static void fails(Class<?> configuration, String... properties) {
		assertThatException().isThrownBy(() -> start(configuration, properties).close());
	}

	private static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(Application.class, configuration).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "spring.datasource.generate-unique-name=true")
			.properties(properties)
			.run();
	}

	private static DataSource database() {
		return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	/* Public for a proxy of another class loader. */
	public static class Shop {

		@DistributedLock(name = "stock", fenced = true)
		public void sell() {
		}

	}

	static class Unfenced {

		@DistributedLock(name = "stock")
		Mono<String> sell() {
			return Mono.just("sold");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class TwoDatabases {

		@Bean
		DataSource orders() {
			return database();
		}

		@Bean
		DataSource payments() {
			return database();
		}

		/* With CRaC, Spring Boot creates one for the only data source. */
		@Bean
		HikariCheckpointRestoreLifecycle checkpoints(@Qualifier("orders") DataSource orders,
				ConfigurableApplicationContext context) {
			return new HikariCheckpointRestoreLifecycle(orders, context);
		}

		@Bean
		PlatformTransactionManager ordersTransactions(@Qualifier("orders") DataSource orders) {
			return new JdbcTransactionManager(orders);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Shop.class)
	static class Routing {

		@Bean
		DataSource dataSource(Environment environment) {
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected Object determineCurrentLookupKey() {
					return "orders";
				}

			};
			DataSource orders = database();
			routing.setTargetDataSources(Map.of("orders", orders));
			routing.setDataSourceLookup(new SingleDataSourceLookup(orders));
			routing.afterPropertiesSet();
			return environment.getProperty("proxied", Boolean.class, false) ? new DelegatingDataSource(routing)
					: routing;
		}

	}

}
