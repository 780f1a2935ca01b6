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

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Lock} over a key. Thread-safe and without state: what a thread has locked is
 * what its innermost open handle on the key says.
 */
final class LockView implements Lock {

	private static final Duration FOREVER = Duration.ofMillis(-1);

	private final LockEngine engine;

	private final ThreadHandles threads;

	private final LockRequest request;

	LockView(LockEngine engine, ThreadHandles threads, LockRequest request) {
		this.engine = engine;
		this.threads = threads;
		this.request = request;
	}

	@Override
	public void lock() {
		uninterruptibly(FOREVER);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.engine.acquire(this.request.withWaitTime(FOREVER));
	}

	@Override
	public boolean tryLock() {
		return uninterruptibly(Duration.ZERO).isPresent();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		Duration wait = Duration.ofNanos(Math.max(unit.toNanos(time), 0));
		return this.engine.tryAcquire(this.request.withWaitTime(wait)).isPresent();
	}

	private Optional<LockHandle> uninterruptibly(Duration wait) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return this.engine.tryAcquire(this.request.withWaitTime(wait));
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void unlock() {
		@Nullable LockHandle handle = this.threads.findOwn(this.request.key());
		if (handle == null) {
			throw new IllegalMonitorStateException(
					"Lock '" + this.request.key() + "' is not locked by thread " + Thread.currentThread().getName());
		}
		handle.close();
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A distributed lock has no conditions");
	}

}
