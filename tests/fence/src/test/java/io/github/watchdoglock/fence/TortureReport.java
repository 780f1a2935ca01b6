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

package io.github.watchdoglock.fence;

import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fence.TortureEvent.Kind;
import io.github.watchdoglock.listener.FenceObserver;
import org.jspecify.annotations.Nullable;

/**
 * Reports the events of an instance's callers to the run.
 */
final class TortureReport implements FenceObserver, LockListener {

	private final PrintStream out;

	/*
	 * Whether the thread's last raise was granted; then a rejected statement is a look.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<Boolean> raised = ThreadLocal.withInitial(() -> false);

	TortureReport(PrintStream out) {
		this.out = out;
	}

	void reply(String text) {
		this.out.println("reply " + text);
	}

	private void event(Kind kind, String text) {
		this.out.println(TortureEvent.format(kind, text));
	}

	void begin() {
		this.raised.set(false);
	}

	@Override
	public void observed(LockKey key, FenceObserver.Outcome outcome, Duration took) {
		switch (outcome) {
			case RAISED -> this.raised.set(true);
			case OVERTAKEN -> event(this.raised.get() ? Kind.OVERTAKEN : Kind.REFUSED, key.toString());
			case BUSY -> event(Kind.BUSY, key.toString());
			case FAILED -> {
				// The exception is reported.
			}
		}
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		if (loss.reason() != LockLoss.Reason.OVERTAKEN) {
			event(Kind.LOST, loss.key().toString());
		}
	}

	void failed(Throwable failure) {
		if (failure instanceof LockLostException) {
			// It was reported before.
			return;
		}
		if (failure instanceof LockNotAcquiredException ex) {
			event(Kind.CONTENDED, ex.getKey().toString());
			return;
		}
		String state = sqlState(failure);
		if (state != null) {
			Kind kind = isCut(state) ? Kind.CUT : state.startsWith("40") ? Kind.CONFLICT : Kind.UNEXPECTED;
			event(kind, failure.toString());
		}
		else {
			event((failure instanceof LockStoreException) ? Kind.STORE : Kind.UNEXPECTED, failure.toString());
		}
		if (state == null || !isCut(state)) {
			failure.printStackTrace();
		}
	}

	private static boolean isCut(String state) {
		return state.startsWith("08") || state.startsWith("57P");
	}

	private static @Nullable String sqlState(@Nullable Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException ex && ex.getSQLState() != null) {
				return ex.getSQLState();
			}
			// The pool has no SQL state for a connection that it has closed.
			if (cause instanceof SQLException && "Connection is closed".equals(cause.getMessage())) {
				return "08003";
			}
		}
		return null;
	}

}
