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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.RetryConfiguration;
import org.springframework.retry.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the position of the lock and of Spring Retry's advice.
 */
@ExtendWith(OutputCaptureExtension.class)
class SpringRetryOrderTests {

	private static final String WARNING = "Spring Retry runs inside of the lock.";

	private final ApplicationContextRunner contexts = LockContexts.plain(AopAutoConfiguration.class);

	@Test
	void retryInsideLockIsWarnedAboutOncePerMethod(CapturedOutput output) {
		this.contexts.withUserConfiguration(Inside.class).run((context) -> {
			Work work = context.getBean("work", Work.class);
			work.onMethod();
			assertThat(events(context)).containsExactly("lock", "attempt", "attempt", "unlock");
			assertThat(output.toString().lines().filter((line) -> line.contains(WARNING))).satisfiesExactlyInAnyOrder(
					(line) -> assertThat(line).contains("WARN",
							"@DistributedLock on " + Work.class.getName() + ".onMethod(): ",
							"the order of the lock is 2147482647"),
					(line) -> assertThat(line).contains("OfClass.onClass(): "));
		});
	}

	@Test
	void retryOutsideLockIsNotWarnedAbout(CapturedOutput output) {
		this.contexts.withUserConfiguration(Outside.class).run((context) -> {
			context.getBean("work", Work.class).onMethod();
			assertThat(events(context)).containsExactly("lock", "attempt", "unlock", "lock", "attempt", "unlock");
			assertThat(output).doesNotContain(WARNING);
		});
	}

	private static List<String> events(ApplicationContext context) {
		return context.getBean(FakeLockService.class).events;
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		FakeLockService lockService() {
			return new FakeLockService(new CopyOnWriteArrayList<>());
		}

		@Bean
		Work work(FakeLockService service) {
			return new Work(service.events);
		}

		@Bean
		Work another(FakeLockService service) {
			return new Work(service.events);
		}

		@Bean
		OfClass ofClass() {
			return new OfClass();
		}

	}

	/* As by EnableRetry, which needs AspectJ. */
	@Configuration(proxyBeanMethods = false)
	@Import(RetryConfiguration.class)
	static class Inside extends Beans {

	}

	/* As by EnableRetry with order 0. */
	@Configuration(proxyBeanMethods = false)
	static class Outside extends Beans {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static RetryConfiguration retryConfiguration() {
			RetryConfiguration retry = new RetryConfiguration();
			retry.setOrder(0);
			return retry;
		}

	}

	static class Work {

		private final List<String> events;

		private boolean failed;

		Work(List<String> events) {
			this.events = events;
		}

		@Retryable(backoff = @Backoff(delay = 1))
		@DistributedLock
		void onMethod() {
			this.events.add("attempt");
			if (!this.failed) {
				this.failed = true;
				throw new IllegalStateException("first attempt");
			}
		}

		@DistributedLock
		void never() {
		}

		@Retryable
		void unlocked() {
		}

	}

	@Composed
	static class OfClass {

		@DistributedLock
		void onClass() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Retryable
	@interface Composed {

	}

}
