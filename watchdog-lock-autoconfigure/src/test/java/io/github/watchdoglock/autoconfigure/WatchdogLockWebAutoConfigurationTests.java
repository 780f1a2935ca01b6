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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchdogLockWebAutoConfiguration}.
 */
class WatchdogLockWebAutoConfigurationTests {

	private static final AutoConfigurations TESTED = AutoConfigurations.of(WatchdogLockWebAutoConfiguration.class);

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(TESTED)
		.withUserConfiguration(Servlet.class)
		.withBean(Shop.class);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(TESTED)
		.withUserConfiguration(Reactive.class)
		.withBean(Shop.class);

	private static MockMvcTester client(WebApplicationContext context) {
		return MockMvcTester.from(context);
	}

	@Test
	void busyLockReturns503WithoutKeyHolderOrRetryAfter() {
		this.servlet.run((context) -> {
			assertThat(client(context).get().uri("/busy")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
				.doesNotContainHeader("Retry-After")
				.bodyText()
				.contains("Try again later")
				.doesNotContain("orders", "42", "till-1");
			assertThat(client(context).get().uri("/busy").header("Accept", "text/html"))
				.hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
		});
	}

	@Test
	void closedLockServiceReturns503AndSaysApplicationIsStopping() {
		this.servlet.run((context) -> assertThat(client(context).get().uri("/stopping"))
			.hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
			.bodyText()
			.contains("The application is stopping"));
	}

	@Test
	void retryAfterHeaderIsSentWhenPropertyIsSet() {
		this.servlet.withPropertyValues("watchdog-lock.retry-after=3s")
			.run((context) -> assertThat(client(context).get().uri("/busy")).hasHeader("Retry-After", "3"));
	}

	@Test
	void unconfirmedCommitIsNotTranslatedIntoResponse() {
		this.servlet.run((context) -> assertThat(client(context).get().uri("/uncommitted")).hasFailed());
	}

	@Test
	void busyResponseYieldsToExceptionHandlerAndStatusOfApplication() {
		this.servlet.withBean(Handlers.class)
			.run((context) -> assertThat(client(context).get().uri("/busy")).hasStatus(HttpStatus.IM_USED));
		this.servlet.run((context) -> assertThat(client(context).get().uri("/wrapped"))
			.as("the status of an exception whose cause is a busy lock")
			.hasStatus(HttpStatus.CONFLICT));
	}

	@Test
	void busyLockReturns503InReactiveApplication() {
		this.reactive.run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			client.get()
				.uri("/busy")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
				.expectBody(String.class)
				.value((body) -> assertThat(body).contains("Try again later").doesNotContain("orders"));
			client.get().uri("/wrapped").exchange().expectStatus().isEqualTo(HttpStatus.CONFLICT);
		});
	}

	@Test
	void busyAdviceIsAbsentWithoutWebApplication() {
		new ApplicationContextRunner().withConfiguration(TESTED)
			.run((context) -> assertThat(context).doesNotHaveBean("watchdogLockBusyAdvice"));
	}

	private static LockNotAcquiredException busy() {
		return new LockNotAcquiredException(LockKey.of("orders", "42"), Duration.ofSeconds(10), "shop@till-1/main",
				Duration.ofSeconds(5));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Servlet {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class Reactive {

	}

	@RestController
	static class Shop {

		@GetMapping("/busy")
		String busyLock() {
			throw busy();
		}

		@GetMapping("/stopping")
		String stopping() {
			throw new LockServiceClosedException(LockKey.of("orders"));
		}

		@GetMapping("/uncommitted")
		String uncommitted() {
			throw new LockStoreException("Redis did not confirm lock 'orders' before the commit", null);
		}

		@GetMapping("/wrapped")
		String wrapped() {
			throw new OrderRejectedException(busy());
		}

	}

	@RestControllerAdvice
	static class Handlers {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.IM_USED)
		String handle(Exception any) {
			return "own";
		}

	}

	@ResponseStatus(HttpStatus.CONFLICT)
	static class OrderRejectedException extends RuntimeException {

		private static final long serialVersionUID = 1;

		OrderRejectedException(Throwable cause) {
			super(cause);
		}

	}

}
