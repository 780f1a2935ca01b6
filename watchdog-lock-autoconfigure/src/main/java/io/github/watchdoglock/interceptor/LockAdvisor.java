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

package io.github.watchdoglock.interceptor;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.listener.Instrumentation;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * The advisor that runs annotated methods under their locks. Declare it as an
 * infrastructure bean, so that the auto-proxy creator finds it.
 */
public final class LockAdvisor extends DefaultPointcutAdvisor {

	/**
	 * Inside {@code @Async}, Spring Framework's {@code @Retryable} and method security;
	 * outside Spring Retry's {@code @Retryable}, {@code @Cacheable} and
	 * {@code @Transactional}, so that a transaction is committed before its lock is
	 * released.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

	private final Supplier<LockService> service;

	private final IntSupplier order;

	/**
	 * Create an advisor.
	 * @param source the locks of methods
	 * @param service acquires the locks; looked up by {@link #prepare()}, or at the first
	 * call of a locked method
	 * @param commits begins to watch the calling thread for a transaction with a name.
	 * The result is called once, by the same thread; it ends the watch and returns
	 * whether the transaction was committed. Used for methods that fail when their lock
	 * is lost
	 * @param inTransaction whether the calling thread is in a transaction that can keep
	 * locks
	 * @param instrumentation surrounds the work of each method
	 * @param order the order among the advisors of a bean; requested when the first
	 * locked bean is created
	 */
	public LockAdvisor(LockSpecSource source, Supplier<LockService> service, Function<String, BooleanSupplier> commits,
			BooleanSupplier inTransaction, Instrumentation instrumentation, IntSupplier order) {
		super(source.pointcut(), new LockInterceptor(source, service, commits, inTransaction, instrumentation));
		this.service = service;
		this.order = order;
	}

	/**
	 * Look up the lock service before the first call, which may come when the application
	 * no longer creates beans.
	 */
	public void prepare() {
		var unused = this.service.get();
	}

	@Override
	public int getOrder() {
		return this.order.getAsInt();
	}

}
