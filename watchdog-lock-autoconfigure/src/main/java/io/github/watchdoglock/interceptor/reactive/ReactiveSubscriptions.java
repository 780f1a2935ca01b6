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

package io.github.watchdoglock.interceptor.reactive;

import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.WantedLock;
import io.github.watchdoglock.listener.Instrumentation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Makes publishers whose subscriptions have their locks each. What is subscribed to
 * within the work under a lock of the same service re-enters it, however it was taken.
 */
public final class ReactiveSubscriptions {

	private final Supplier<LockService> service;

	private final Instrumentation instrumentation;

	/**
	 * Create it.
	 * @param service takes the locks; asked for with each subscription
	 * @param instrumentation surrounds the work under them
	 */
	public ReactiveSubscriptions(Supplier<LockService> service, Instrumentation instrumentation) {
		this.service = service;
		this.instrumentation = instrumentation;
	}

	/**
	 * Make a publisher.
	 * @param work what is done under locks for each subscription
	 * @return what is to be subscribed to
	 */
	public Flux<Object> to(Work work) {
		return Flux.deferContextual((context) -> {
			LockService locks = this.service.get();
			return new ReactiveCall(work, locks, this.instrumentation, new ContextKey(locks), context).publisher();
		});
	}

	/**
	 * What is done under locks for each subscription.
	 */
	public interface Work {

		/**
		 * The locks that it needs.
		 * @return the locks, in the order in which they are taken
		 */
		List<WantedLock> wanted();

		/**
		 * Begin it: they are held.
		 * @param held the locks
		 * @return the work
		 */
		Publisher<Object> begin(HeldLocks held);

		/**
		 * Do without it: one of them was not to be had in time.
		 * @param wanted the lock
		 * @param cause who has it
		 * @return what comes in place of the work
		 */
		Publisher<Object> refused(WantedLock wanted, LockNotAcquiredException cause);

	}

	/**
	 * Where a context has the locks of a service: others in the same JVM have their own.
	 *
	 * @param service the service
	 */
	private record ContextKey(LockService service) {

	}

}
