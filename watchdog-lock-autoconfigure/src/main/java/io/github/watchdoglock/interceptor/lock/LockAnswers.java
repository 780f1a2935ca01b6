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

package io.github.watchdoglock.interceptor.lock;

import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.jspecify.annotations.Nullable;

/**
 * Asks a lock service, and refuses null for an answer: that of a mock which nobody has
 * told what to answer.
 */
final class LockAnswers {

	private LockAnswers() {
	}

	static LockHandle acquire(LockService service, LockRequest request) throws InterruptedException {
		// Nothing that could fail comes between a lock and its caller.
		LockHandle answer = service.acquire(request);
		return (answer != null) ? answer : required(answer, "acquire", "mock(LockHandle.class)", request);
	}

	static CompletableFuture<LockHandle> acquireAsync(LockService service, LockRequest request) {
		String stub = "CompletableFuture.completedFuture(mock(LockHandle.class))";
		CompletableFuture<LockHandle> answer = required(service.acquireAsync(request), "acquireAsync", stub, request);
		if (answer.isDone() && !answer.isCompletedExceptionally()) {
			required(answer.join(), "acquireAsync", stub, request);
		}
		return answer;
	}

	private static <T> T required(@Nullable T answer, String method, String stub, LockRequest request) {
		if (answer == null) {
			throw new IllegalStateException("LockService." + method + " answered null for lock '" + request.key()
					+ "', as a mock does that was not told what to answer. Stub it, such as given(locks." + method
					+ "(any())).willReturn(" + stub
					+ "), or keep the real service: @MockitoSpyBean in place of @MockitoBean, or @AutoConfigureTestLocks");
		}
		return answer;
	}

}
