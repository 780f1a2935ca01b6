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

import io.github.watchdoglock.annotation.DistributedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications with an advisor of their own.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationsAdvisorTests {

	private final ApplicationContextRunner contexts = LockContexts.local()
		.withUserConfiguration(Advised.class)
		.withBean(Job.class);

	@Test
	void lockPostProcessorDoesNotCreateAdvisorOfApplicationEarly(CapturedOutput output) {
		this.contexts.withPropertyValues("advised=work").run((context) -> context.getBean(Job.class).work());
		assertThat(output).doesNotContain("currently created BeanPostProcessor [watchdogLock");
	}

	@ParameterizedTest
	@ValueSource(strings = { "locks", "engine", "wakeUps" })
	void pointcutThatMatchesRecordOfLibraryDoesNotPreventStart(String method) {
		this.contexts.withPropertyValues("advised=" + method).run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	static class Advised {

		@Bean
		static DefaultAdvisorAutoProxyCreator proxies() {
			DefaultAdvisorAutoProxyCreator proxies = new DefaultAdvisorAutoProxyCreator();
			proxies.setProxyTargetClass(true);
			return proxies;
		}

		@Bean
		DefaultPointcutAdvisor advisor(Environment environment) {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedName(environment.getRequiredProperty("advised"));
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> invocation.proceed());
		}

	}

	static class Job {

		@DistributedLock("work")
		void work() {
		}

	}

}
