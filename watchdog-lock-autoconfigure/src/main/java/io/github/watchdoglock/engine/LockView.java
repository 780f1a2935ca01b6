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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.text.PrintableText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Lock} for a key. Thread-safe and stateless: whether a thread has locked it is
 * determined by the thread's innermost open handle of the key.
 */
final class LockView implements Lock {

	private static final Log logger = LogFactory.getLog(LockView.class);

	private static final Duration FOREVER = Duration.ofMillis(-1);

	private final LockService service;

	private final EngineContext context;

	private final LockRequest request;

	LockView(LockService service, EngineContext context, LockRequest request) {
		this.service = service;
		this.context = context;
		this.request = request;
	}

	@Override
	public void lock() {
		uninterruptibly(FOREVER);
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		acquireInterruptibly(FOREVER);
	}

	@Override
	public boolean tryLock() {
		return uninterruptibly(Duration.ZERO).isPresent();
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		Duration wait = Duration.ofNanos(Math.max(unit.toNanos(time), 0));
		return acquireInterruptibly(wait).isPresent();
	}

	private Optional<LockHandle> uninterruptibly(Duration wait) {
		Callers.ensureStack();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return acquire(wait);
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

	/*
	 * An interrupt that was caused by a loss is thrown before the lost handles are
	 * dropped, so that a loss whose action is to interrupt is never missed.
	 */
	private Optional<LockHandle> acquireInterruptibly(Duration wait) throws InterruptedException {
		Callers.ensureStack();
		List<Handle> lost = lost();
		if (!lost.isEmpty()) {
			boolean interrupted = false;
			for (Handle handle : lost) {
				interrupted = handle.hold().takeInterrupt() || interrupted;
				interrupted = Thread.interrupted() || interrupted;
			}
			if (interrupted) {
				throw new InterruptedException("Interrupted before requesting lock '" + this.request.key() + "'");
			}
		}
		return acquire(wait);
	}

	private Optional<LockHandle> acquire(Duration wait) throws InterruptedException {
		List<Handle> lost = lost();
		if (!lost.isEmpty()) {
			drop(lost);
		}
		Optional<LockHandle> handle;
		do {
			LockRequest request = this.request.withWaitTime(wait);
			// While a transaction of the thread keeps locks, no wait is indefinite.
			handle = (wait.isNegative() && this.context.handles.kept().findAny().isPresent())
					? Optional.of(this.service.acquire(request)) : this.service.tryAcquire(request);
			// A fence may stay busy for longer than one attempt to raise it waits.
		}
		while (handle.isEmpty() && wait.isNegative());
		if (handle.isPresent()) {
			// The field is set directly: if a method call failed here, the caller would
			// not know that it has the lock.
			((Handle) handle.get()).viewed = true;
		}
		return handle;
	}

	private List<Handle> lost() {
		List<Handle> lost = this.context.handles.lostByViews(this.request.key(), this.context.nowNoticingSleep());
		// Guard against the watchdog, which may not have noticed the loss yet.
		lost.forEach(Handle::expireIfOver);
		return lost;
	}

	/* Drop the handles of a lock that was not unlocked because it was no longer held. */
	private void drop(List<Handle> lost) {
		logger.warn("Lock '" + this.request.key() + "' was lost by thread "
				+ PrintableText.of(Thread.currentThread().getName())
				+ ", which now locks it again without having unlocked it. The lost hold is closed. Always"
				+ " unlock, also after a loss");
		lost.forEach(Handle::close);
	}

	@Override
	public void unlock() {
		boolean reading = this.request.mode() == LockMode.READ;
		@Nullable Handle handle = this.context.handles.findOwn(this.request.key(), reading);
		if (handle == null) {
			throw new IllegalMonitorStateException(
					"Lock '" + this.request.key() + "' is not locked " + (reading ? "for reading" : "for writing")
							+ " by thread " + PrintableText.of(Thread.currentThread().getName()));
		}
		handle.close();
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("Distributed locks do not support conditions");
	}

	@Override
	public String toString() {
		return "Lock '" + this.request.key() + "'";
	}

}
