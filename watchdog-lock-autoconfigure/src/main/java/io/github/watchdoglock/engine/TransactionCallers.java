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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockRequest;

/**
 * Callers whose locks may outlive the transaction that they are in: it has a handle of
 * its own then, so that the hold does not end before.
 */
final class TransactionCallers {

	private final ThreadHandles threads;

	private final AccompaniedCallers callers;

	private final Surroundings surroundings;

	TransactionCallers(ThreadHandles threads, AccompaniedCallers callers, Surroundings surroundings) {
		this.threads = threads;
		this.callers = callers;
		this.surroundings = surroundings;
	}

	LockHandle acquire(LockRequest request) throws InterruptedException {
		LockHandle handle = this.callers.acquire(request);
		keepIfAsked(request, handle);
		return handle;
	}

	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		Optional<LockHandle> handle = this.callers.tryAcquire(request);
		handle.ifPresent((acquired) -> keepIfAsked(request, acquired));
		return handle;
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest wanted) {
		LockRequest request;
		try {
			request = this.surroundings.complete(wanted);
		}
		catch (LockKeyException | IllegalArgumentException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (request.releaseAfterTransaction()) {
			return CompletableFuture.failedFuture(new IllegalArgumentException("Lock '" + request.key()
					+ "' can't be released after a transaction: acquired asynchronously it belongs to no thread;"
					+ " use acquire, tryAcquire or execute"));
		}
		return this.callers.acquireAsync(request);
	}

	void keepIfAsked(LockRequest request, LockHandle handle) {
		if (request.releaseAfterTransaction()) {
			keep((Handle) handle);
		}
	}

	private void keep(Handle handle) {
		if (this.threads.isKept(handle)) {
			return;
		}
		Hold hold = handle.hold();
		KeptHandle kept = new KeptHandle(hold, handle.onLoss());
		hold.grant.cohort.change(() -> hold.add(kept));
		this.threads.rememberOutside(handle, kept);
		boolean keeping = false;
		try {
			keeping = this.surroundings.transactions().closeAfterwards(kept);
		}
		catch (RuntimeException | Error ex) {
			handle.close();
			throw ex;
		}
		finally {
			if (!keeping) {
				kept.close();
			}
		}
	}

}
