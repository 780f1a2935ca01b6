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
import java.util.Objects;
import java.util.function.Supplier;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.interceptor.reactive.ReactiveSubscriptions;
import io.github.watchdoglock.listener.Instrumentation;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.core.ReactiveAdapter;

/**
 * Runs methods with a reactive result: the work begins with each subscription, which
 * acquires its own locks, and is done when the subscription completes, fails or is
 * cancelled. No thread waits.
 *
 * @param service acquires the locks; looked up at each subscription
 * @param instrumentation surrounds the work under them
 */
record ReactiveResultHandler(Supplier<LockService> service, Instrumentation instrumentation) {

	/* A single value waits for the end of the publisher. */
	Object handle(LockedInvocation call) {
		ReactiveAdapter adapter = Objects.requireNonNull(call.method().result().adapter(), "Not a reactive type");
		Flux<Object> publisher = new ReactiveSubscriptions(this.service, this.instrumentation)
			.to(new Invocation(call, adapter, this.instrumentation));
		return adapter.fromPublisher(adapter.isMultiValue() ? publisher : publisher.singleOrEmpty());
	}

	/**
	 * A call of a locked method, which is repeated for each subscription.
	 *
	 * @param call the call
	 * @param adapter converts the result of the method to a publisher
	 * @param instrumentation surrounds the call
	 */
	private record Invocation(LockedInvocation call, ReactiveAdapter adapter,
			Instrumentation instrumentation) implements ReactiveSubscriptions.Work {

		@Override
		public List<RequestedLock> requested() {
			return this.call.requested();
		}

		@Override
		public Publisher<Object> begin(HeldLocks held) {
			return publisher(() -> proceed(held));
		}

		/* Each subscription runs the rest of the advice again. */
		private @Nullable Object proceed(HeldLocks held) throws Throwable {
			MethodInvocation invocation = ((ProxyMethodInvocation) this.call.invocation()).invocableClone();
			return held.run(this.instrumentation, () -> ExposeInvocationInterceptor.INSTANCE.invoke(invocation));
		}

		@Override
		public Publisher<Object> refused(RequestedLock requested, LockNotAcquiredException cause) {
			return publisher(() -> requested.contention().resolve(this.call.target(), this.call.arguments(), cause));
		}

		private Publisher<Object> publisher(HeldLocks.Body body) {
			try {
				return this.adapter.toPublisher(body.run());
			}
			catch (Throwable ex) {
				return Flux.error(ex);
			}
		}

	}

}
