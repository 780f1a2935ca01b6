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

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Rejects methods whose transaction would be committed after their lock is released, and
 * warns about those whose lock is kept for all attempts of Spring Retry, which may be
 * absent.
 */
final class AdviceOrderCheck {

	private static final Log logger = LogFactory.getLog(AdviceOrderCheck.class);

	private static final String RETRY = "org.springframework.retry.annotation.";

	/** Several beans and proxies may have the same method. */
	private final Set<Method> warned = ConcurrentHashMap.newKeySet();

	private final LockSpecSource source;

	private final Predicate<Advisor> transactions;

	AdviceOrderCheck(LockSpecSource source, Predicate<Advisor> transactions) {
		this.source = source;
		this.transactions = transactions;
	}

	void check(Advised proxy, Method method, Class<?> type) {
		List<Advisor> advisors = List.of(proxy.getAdvisors());
		advisors.stream().filter(AdviceOrderCheck::isLock).findFirst().ifPresent((lock) -> {
			int index = advisors.indexOf(lock);
			advisors.subList(0, index)
				.stream()
				.filter((advisor) -> this.transactions.test(advisor) && applies(advisor, method, type))
				.forEach((transaction) -> refuse(method, type, transaction, lock));
			advisors.subList(index + 1, advisors.size())
				.stream()
				.filter((advisor) -> advisor.getClass().getName().startsWith(RETRY) && isRetryable(method, type))
				.forEach((retry) -> warn(method, type, retry, lock));
		});
	}

	/* The pointcut of Spring Retry's advisor matches more methods than it retries. */
	private static boolean isRetryable(Method method, Class<?> type) {
		return Stream.of(AopUtils.getMostSpecificMethod(method, type), method, type)
			.anyMatch((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
				.isPresent(RETRY + "Retryable"));
	}

	private void warn(Method method, Class<?> type, Advisor retry, Advisor lock) {
		DeclaredAnnotation annotation = this.source.annotation(method, type);
		if (this.warned.add(annotation.method())) {
			logger.warn(annotation.message("Spring Retry runs inside of the lock. All attempts share one hold and one"
					+ " fencing token, pauses between them keep the lock, and a busy lock is not retried. To acquire the"
					+ " lock for each attempt, set @EnableRetry(order = " + (order(lock) - 1) + "). It is "
					+ order(retry) + " now, and the order of the lock is " + order(lock)));
		}
	}

	private void refuse(Method method, Class<?> type, Advisor transaction, Advisor lock) {
		throw this.source.annotation(method, type)
			.problem(
					"its transaction begins before the lock is acquired, so the lock would be released before the"
							+ " commit. The order of @EnableTransactionManagement is " + order(transaction)
							+ ", and the order of the lock is " + order(lock),
					(order(transaction) != Ordered.LOWEST_PRECEDENCE)
							? "Remove the order from @EnableTransactionManagement: its default is right."
							: "Remove watchdog-lock.advice-order: its default is right.");
	}

	private static boolean isLock(Advisor advisor) {
		return advisor instanceof PointcutAdvisor lock && lock.getPointcut() instanceof LockSpecSource.LockPointcut;
	}

	private static boolean applies(Advisor advisor, Method method, Class<?> type) {
		return advisor instanceof PointcutAdvisor pointcut && pointcut.getPointcut().getClassFilter().matches(type)
				&& pointcut.getPointcut().getMethodMatcher().matches(method, type);
	}

	private static int order(Advisor advisor) {
		return (advisor instanceof Ordered ordered) ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
	}

}
