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

import java.util.function.Supplier;

import io.github.watchdoglock.LockService;
import reactor.core.publisher.Flux;

/**
 * The work begins with each subscription, whose locks are its own, and is done when that
 * completes, fails or is cancelled. No thread waits.
 */
final class ReactiveManner implements Manner {

	private final Supplier<LockService> service;

	private final WorkScope scope;

	/* Others in the same JVM have locks of their own in a context. */
	private final Object contextKey = new Object();

	ReactiveManner(Supplier<LockService> service, WorkScope scope) {
		this.service = service;
		this.scope = scope;
	}

	@Override
	public Object run(LockedCall call) {
		ReactiveResults results = new ReactiveResults(call.method().result());
		return results.fromPublisher(Flux.deferContextual(
				(context) -> new ReactiveCall(call, results, this.service.get(), this.scope, this.contextKey, context)
					.publisher()));
	}

}
