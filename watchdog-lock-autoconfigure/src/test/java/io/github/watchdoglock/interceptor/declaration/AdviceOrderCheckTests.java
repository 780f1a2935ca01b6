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

package io.github.watchdoglock.interceptor.declaration;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link AdviceOrderCheck}.
 */
class AdviceOrderCheckTests {

	private static final MethodInterceptor TRANSACTION = (invocation) -> invocation.proceed();

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void transactionOutsideLockIsRejectedWithBothOrders() {
		InterceptorFixture.assertRefused(() -> check(transaction("work", 7), this.fixture.advisor),
				"Remove the order from @EnableTransactionManagement",
				"Work.work(): its transaction begins before the lock is acquired",
				"@EnableTransactionManagement is 7, and the order of the lock is 2147482647");
	}

	@Test
	void transactionWithoutOrderCountsAsLowestPrecedence() {
		PointcutAdvisor unordered = mock();
		given(unordered.getAdvice()).willReturn(TRANSACTION);
		given(unordered.getPointcut()).willReturn(method("work"));
		InterceptorFixture.assertRefused(() -> check(unordered, this.fixture.advisor), "",
				"@EnableTransactionManagement is 2147483647");
	}

	@Test
	void transactionInsideLockIsAccepted() {
		assertThatNoException().isThrownBy(() -> check(this.fixture.advisor, transaction("work", 7)));
	}

	@Test
	void transactionOfOtherMethodOrClassIsAccepted() {
		assertThatNoException().isThrownBy(() -> check(transaction("other", 7), this.fixture.advisor));
		NameMatchMethodPointcut elsewhere = method("work");
		elsewhere.setClassFilter((type) -> type == String.class);
		assertThatNoException()
			.isThrownBy(() -> check(new DefaultPointcutAdvisor(elsewhere, TRANSACTION), this.fixture.advisor));
	}

	@Test
	void otherAdviceOutsideLockIsAccepted() {
		MethodInterceptor other = (invocation) -> invocation.proceed();
		assertThatNoException()
			.isThrownBy(() -> check(new DefaultPointcutAdvisor(method("work"), other), this.fixture.advisor));
		assertThatNoException().isThrownBy(() -> check((Advisor) () -> TRANSACTION, this.fixture.advisor));
	}

	private void check(Advisor... advisors) {
		ProxyFactory factory = new ProxyFactory(new Work());
		factory.setProxyTargetClass(true);
		factory.addAdvisors(advisors);
		Object proxy = factory.getProxy();
		LockDeclarationCheck check = new LockDeclarationCheck(this.fixture.source,
				(advisor) -> advisor.getAdvice() == TRANSACTION);
		assertThat(check.postProcessAfterInitialization(proxy, "work")).isSameAs(proxy);
	}

	private static DefaultPointcutAdvisor transaction(String method, int order) {
		DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(method(method), TRANSACTION);
		advisor.setOrder(order);
		return advisor;
	}

	private static NameMatchMethodPointcut method(String name) {
		NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
		pointcut.setMappedName(name);
		return pointcut;
	}

	static class Work {

		@DistributedLock
		void work() {
		}

		void other() {
		}

	}

}
