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
import io.github.watchdoglock.listener.Instrumentation;

/**
 * The work begins with each subscription, whose locks are its own, and is done when that
 * completes, fails or is cancelled. No thread waits.
 */
final class ReactiveManner implements Manner {

	private final ReactiveSubscriptions subscriptions;

	private final Instrumentation instrumentation;

	ReactiveManner(Supplier<LockService> service, Instrumentation instrumentation) {
		this.subscriptions = new ReactiveSubscriptions(service, instrumentation);
		this.instrumentation = instrumentation;
	}

	@Override
	public Object run(LockedCall call) {
		ReactiveResults results = new ReactiveResults(call.method().result());
		return results.fromPublisher(this.subscriptions.to(new ReactiveMethod(call, results, this.instrumentation)));
	}

}
