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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One of the locks that a call has. Its handle may be a mock, or that of a mock: neither
 * fails a call.
 *
 * @param onLoss what happens when it is lost, not {@link OnLoss#DEFAULT}
 * @param handle what the call has of it
 */
record HeldLock(OnLoss onLoss, LockHandle handle) {

	private static final Log logger = LogFactory.getLog(HeldLock.class);

	/* Of a service that tests have replaced: it knows nothing. */
	@SuppressWarnings("ConstantValue")
	boolean isOfMock() {
		return this.handle.key() == null;
	}

	/* A mock is never lost. */
	void whenLost(Consumer<LockLoss> listener) {
		CompletionStage<LockLoss> answer = this.handle.whenLost();
		if (answer != null) {
			var unused = answer.thenAccept((loss) -> Optional.ofNullable(loss).ifPresent(listener));
		}
	}

	/* The method's outcome stands, whatever a service does against its contract. */
	void close() {
		try {
			this.handle.close();
		}
		catch (RuntimeException ex) {
			warn(ex);
		}
	}

	/* Never completed exceptionally. A mock is closed at once. */
	CompletableFuture<Void> closeAsync() {
		try {
			CompletableFuture<Void> answer = this.handle.closeAsync();
			return (answer != null) ? answer : CompletableFuture.completedFuture(null);
		}
		catch (RuntimeException ex) {
			warn(ex);
			return CompletableFuture.completedFuture(null);
		}
	}

	private void warn(RuntimeException failure) {
		logger.warn("Lock '" + this.handle.key() + "' could not be released; it is free when its lease is over",
				failure);
	}

}
