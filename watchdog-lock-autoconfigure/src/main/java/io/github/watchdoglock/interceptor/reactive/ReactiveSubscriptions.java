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
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.listener.Instrumentation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Creates publishers whose subscriptions acquire their own locks. Subscriptions within
 * the work re-enter the locks of the same service, regardless of how these were acquired.
 *
 * @param service acquires the locks; looked up at each subscription
 * @param instrumentation surrounds the work under them
 */
public record ReactiveSubscriptions(Supplier<LockService> service, Instrumentation instrumentation) {

	/**
	 * Create a publisher.
	 * @param work the work that each subscription runs under locks
	 * @return the publisher
	 */
	public Flux<Object> to(Work work) {
		return Flux.deferContextual(
				(context) -> new ReactiveCall(work, this.service.get(), this.instrumentation, context).publisher());
	}

	/**
	 * The work that each subscription runs under locks.
	 */
	public interface Work {

		/**
		 * Return the locks that the work needs.
		 * @return the locks, in the order in which they are acquired
		 */
		List<RequestedLock> requested();

		/**
		 * Begin the work, when its locks are held.
		 * @param held the locks
		 * @return the work
		 */
		Publisher<Object> begin(HeldLocks held);

		/**
		 * Replace the work, because one of its locks could not be acquired in time.
		 * @param requested the lock
		 * @param cause the exception, which names the holder
		 * @return the replacement
		 */
		Publisher<Object> refused(RequestedLock requested, LockNotAcquiredException cause);

	}

}
