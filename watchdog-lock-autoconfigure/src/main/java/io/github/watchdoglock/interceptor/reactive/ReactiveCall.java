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

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.listener.Instrumentation;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A subscription to work under locks. The work begins when the locks are held, once for
 * each subscription.
 */
final class ReactiveCall {

	private final ReactiveSubscriptions.Work work;

	private final LockService service;

	private final Instrumentation instrumentation;

	private final ContextView context;

	/*
	 * The locks of the context in which this is subscribed to. Their key in the context
	 * is the service, because other services in the same JVM have their own locks.
	 */
	private final Map<LockKey, SharedHandle> outer;

	private final ReactiveLocks locks = new ReactiveLocks();

	private final long start = System.nanoTime();

	ReactiveCall(ReactiveSubscriptions.Work work, LockService service, Instrumentation instrumentation,
			ContextView context) {
		this.work = work;
		this.service = service;
		this.instrumentation = instrumentation;
		this.context = context;
		this.outer = Objects.requireNonNull(context.getOrDefault(service, Map.of()));
	}

	/*
	 * The locks are released before the subscriber receives the end, except after a
	 * cancel.
	 */
	Flux<Object> publisher() {
		return Flux.defer(() -> Flux.fromIterable(this.work.requested()))
			.concatMap(this::acquire)
			.next()
			.switchIfEmpty(Mono.fromSupplier(() -> work(this.locks.held())))
			.flatMapMany(Function.identity())
			.onErrorResume((failure) -> release().then(Mono.error(failure)))
			.doFinally((signal) -> end());
	}

	private void end() {
		var unused = this.locks.close();
	}

	/* Empty, or the replacement of the work if another caller holds the lock. */
	private Mono<Publisher<Object>> acquire(RequestedLock requested) {
		SharedHandle reentered = this.locks.within(this.outer).get(requested.key());
		if (reentered != null && reentered.isOfKind(requested) && reentered.join()) {
			this.locks.add(requested, reentered);
			if (!reentered.allows(requested)) {
				return Mono.error(new LockUpgradeException(requested.key()));
			}
			return reentered.handle()
				.loss()
				.<Mono<Publisher<Object>>>map((loss) -> Mono.error(new LockLostException(loss)))
				.orElseGet(() -> Mono.fromFuture(reentered.handle().extend(requested.request().lease()))
					.then(Mono.empty()));
		}
		return Mono.fromFuture(this.locks.expect(requested, requestLock(requested)), true)
			.flatMap((failure) -> failure.<Mono<Publisher<Object>>>map((cause) -> failed(requested, cause))
				.orElse(Mono.empty()));
	}

	private Mono<Publisher<Object>> failed(RequestedLock requested, Throwable cause) {
		return (cause instanceof LockNotAcquiredException refusal) ? Mono.just(refused(requested, refusal))
				: Mono.error(cause);
	}

	private CompletableFuture<LockHandle> requestLock(RequestedLock requested) {
		Runnable end = this.instrumentation.within((key) -> this.context.getOrDefault(key, null));
		try {
			return requested.acquireAsync(this.service, Duration.ofNanos(System.nanoTime() - this.start));
		}
		finally {
			end.run();
		}
	}

	private Publisher<Object> refused(RequestedLock requested, LockNotAcquiredException cause) {
		return release().thenMany(Flux.defer(() -> this.work.refused(requested, cause)));
	}

	private Publisher<Object> work(HeldLocks held) {
		Flux<Object> work = Flux.defer(() -> this.work.begin(held))
			.contextWrite((context) -> context.put(this.service, this.locks.within(this.outer))
				.putAllMap(held.context(this.instrumentation)));
		return ReactiveLosses.guard(work, held)
			.concatWith(Flux.defer(() -> release().then(ReactiveLosses.failure(held))));
	}

	private Mono<Object> release() {
		return Mono.defer(() -> Mono.fromFuture(this.locks.close(), true).then(Mono.empty()));
	}

}
