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

package io.github.watchdoglock.migration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import org.apache.commons.logging.LogFactory;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.reflect.MethodSignature;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.Order;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.stereotype.Component;
import org.springframework.util.Assert;

/**
 * Holds Redisson's lock around {@code @DistributedLock}.
 */
@Aspect
@Component
@Order(Ordered.LOWEST_PRECEDENCE - 1001) // directly outside of @DistributedLock
class PreviousLockAspect {

	private final RedissonClient redisson;

	PreviousLockAspect(RedissonClient redisson) {
		this.redisson = redisson;
	}

	@Around("@annotation(previous)")
	Object hold(ProceedingJoinPoint call, PreviousLock previous) throws Throwable {
		var method = ((MethodSignature) call.getSignature()).getMethod();
		boolean later = ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) != null;
		Assert.state(!later && !KotlinDetector.isSuspendingFunction(method), () -> method + " needs lockAsync(id)");
		var context = new MethodBasedEvaluationContext(call.getTarget(), method, call.getArgs(),
				new DefaultParameterNameDiscoverer());
		String name = new SpelExpressionParser().parseExpression(previous.name()).getValue(context, String.class);
		RLock lock = this.redisson.getLock(name);
		// Not interruptible: an interrupted tryLock(…) may leave a lock behind, which
		// Redisson renews
		if (!lock.tryLockAsync(previous.waitMillis(), TimeUnit.MILLISECONDS).toCompletableFuture().join()) {
			throw new LockNotAcquiredException(LockKey.of("redisson", name), Duration.ofMillis(previous.waitMillis()),
					null, null);
		}
		try {
			return call.proceed();
		}
		finally {
			unlock(lock);
		}
	}

	private static void unlock(RLock lock) {
		try {
			lock.unlockAsync().toCompletableFuture().join();
		}
		catch (RuntimeException ex) { // must not replace the result of the method
			LogFactory.getLog(PreviousLockAspect.class).warn(lock.getName() + " was not released", ex);
		}
	}

}
