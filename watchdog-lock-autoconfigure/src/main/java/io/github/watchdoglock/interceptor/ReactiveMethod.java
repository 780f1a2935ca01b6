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

import java.util.List;

import io.github.watchdoglock.listener.Instrumentation;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * A call of a locked method, which is made anew for each subscription.
 *
 * @param call the call
 * @param results makes publishers of what the method returns
 * @param instrumentation surrounds the call
 */
record ReactiveMethod(LockedCall call, ReactiveResults results,
		Instrumentation instrumentation) implements ReactiveWork {

	@Override
	public List<WantedLock> wanted() {
		return this.call.wanted();
	}

	@Override
	public Publisher<Object> begin(HeldLocks held) {
		return publisher(() -> proceed(held));
	}

	@Override
	public Publisher<Object> refused(Refusal refusal) {
		return publisher(() -> refusal.resolve(this.call));
	}

	/* Each subscription goes through the rest of the advice anew. */
	private @Nullable Object proceed(HeldLocks held) throws Throwable {
		MethodInvocation invocation = ((ProxyMethodInvocation) this.call.invocation()).invocableClone();
		Runnable end = held.enter(this.instrumentation);
		try {
			return ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
		}
		finally {
			end.run();
		}
	}

	private Publisher<Object> publisher(Result result) {
		try {
			return this.results.toPublisher(result.get());
		}
		catch (Throwable ex) {
			return Flux.error(ex);
		}
	}

	/**
	 * What a method returns.
	 */
	@FunctionalInterface
	private interface Result {

		@Nullable Object get() throws Throwable;

	}

}
