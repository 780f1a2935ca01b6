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

package io.github.watchdoglock.engine;

import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * Work that runs while a lock is held, and fails with the lock if that is the rule.
 */
final class Execution {

	private final Core core;

	private final Callers callers;

	private final Customizations customizations;

	Execution(Core core, Callers callers, Customizations customizations) {
		this.core = core;
		this.callers = callers;
		this.customizations = customizations;
	}

	<T extends @Nullable Object, E extends Exception> T run(LockRequest request, LockCallback<T, E> callback) throws E {
		LockHandle handle = acquire(request);
		T result;
		try (handle) {
			result = run(handle, callback);
		}
		catch (Error ex) {
			// One that failed before it had begun has closed nothing.
			var unused = handle.closeAsync();
			throw ex;
		}
		if (this.core.rules().onLoss(request) == OnLoss.FAIL) {
			handle.loss().ifPresent((loss) -> {
				throw new LockLostException(loss);
			});
		}
		return result;
	}

	private <T extends @Nullable Object, E extends Exception> T run(LockHandle handle, LockCallback<T, E> callback)
			throws E {
		Runnable end = this.customizations.instrumentation().working(handle);
		try {
			return callback.run(handle);
		}
		finally {
			end.run();
		}
	}

	private LockHandle acquire(LockRequest request) {
		try {
			return this.callers.acquire(request);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(request.key(), ex);
		}
	}

}
