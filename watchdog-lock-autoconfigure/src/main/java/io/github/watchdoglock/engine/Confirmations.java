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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.text.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The check before a commit: whether the store has confirmed the locks of a thread
 * recently, or confirms them now. A confirmation is too old if it exceeds the maximum age
 * of its lock, or if a connection to the store was lost or opened since it was sent: the
 * store may have been restarted without its data, or replaced.
 * <p>
 * Thread-safe; a check waits on the calling thread, which must not run a task of a key.
 * Not promised: that the store keeps a lock between its confirmation and the commit.
 */
final class Confirmations {

	private final EngineContext context;

	Confirmations(EngineContext context) {
		this.context = context;
	}

	/*
	 * Wait until the store has confirmed all of these holds, for one command timeout at
	 * most. Fail at once if it does not respond anyway, because threads that wait here
	 * may occupy all connections to the application's database.
	 */
	void await(List<Handle> handles, String occasion) {
		List<Hold> holds = handles.stream().map(Handle::hold).distinct().toList();
		long start = this.context.nowNoticingSleep();
		List<Hold> open = unconfirmed(holds, start);
		if (open.isEmpty()) {
			return;
		}
		long timeout = open.stream().mapToLong((hold) -> hold.lease.timing().timeout().toNanos()).max().orElseThrow();
		Throwable cause = null;
		for (int failures = 1; !open.isEmpty(); open = unconfirmed(holds, start)) {
			long left = start + timeout - this.context.now();
			boolean refused = cause instanceof CommandRefusedException;
			if (left <= 0 || refused || this.context.contact.isLost()) {
				// It may be back, so the next check need not fail.
				var unused = (left > 0 && !refused) ? ask(open, start) : null;
				throw failure(open.get(0).key, timeout, occasion, cause);
			}
			CompletableFuture<Void> answers = ask(open, start);
			this.context.awaitUninterruptibly(answers, left);
			if (answers.isCompletedExceptionally()) {
				cause = answers.handle((nothing, ex) -> StoreCalls.cause(ex)).join();
				long pause = StoreCalls.backoff(failures++, this.context.chance());
				this.context.awaitUninterruptibly(new CompletableFuture<>(),
						Math.min(pause, start + timeout - this.context.now()));
			}
		}
	}

	/* Return the holds that have to be confirmed; fail if one of them is lost. */
	private List<Hold> unconfirmed(List<Hold> holds, long start) {
		long now = this.context.nowNoticingSleep();
		for (Hold hold : holds) {
			LockLoss loss = hold.loss(now);
			if (loss != null) {
				throw new LockLostException(loss);
			}
		}
		return holds.stream().filter((hold) -> hold.isOpen() && !isConfirmed(hold, start, now)).toList();
	}

	private boolean isConfirmed(Hold hold, long start, long now) {
		long maxAge = this.context.commitCheck(hold.key);
		return maxAge < 0
				|| (hold.lease.times.confirmed() - since(maxAge, start, now) >= 0 && !hold.lease.isDoubtful());
	}

	/*
	 * Since when a confirmation is recent enough. One that was requested after the start
	 * is, however long its answer has taken.
	 */
	private static long since(long maxAge, long start, long now) {
		return (now - maxAge - start < 0) ? now - maxAge : start;
	}

	/*
	 * Ask for all of these leases together. A renewal that was sent recently is awaited
	 * instead. The future fails if one of the answers does.
	 */
	private CompletableFuture<Void> ask(List<Hold> holds, long start) {
		long doubted = this.context.contact.doubted();
		long now = this.context.now();
		Queue<RenewCall> renewals = new ConcurrentLinkedQueue<>();
		AtomicInteger missing = new AtomicInteger(holds.size());
		CompletableFuture<?>[] answers = new CompletableFuture<?>[holds.size()];
		for (int i = 0; i < answers.length; i++) {
			Hold hold = holds.get(i);
			CompletableFuture<Void> answer = new CompletableFuture<>();
			// A key whose task fails must not keep the other renewals from being sent.
			AtomicBoolean counted = new AtomicBoolean();
			Runnable asked = () -> {
				if (counted.compareAndSet(false, true) && missing.decrementAndGet() == 0) {
					RenewCall.sendTogether(this.context, renewals);
				}
			};
			answers[i] = answer.whenComplete((nothing, ex) -> asked.run());
			long recent = since(this.context.commitCheck(hold.key), start, now);
			hold.lease.lock.tasks().run(() -> {
				if (hold.isOpen()) {
					LeaseRenewal.confirm(hold.lease, (recent - doubted < 0) ? doubted : recent, answer, renewals::add);
				}
				else {
					answer.complete(null);
				}
				asked.run();
			}, answer);
		}
		return CompletableFuture.allOf(answers);
	}

	private LockStoreException failure(LockKey key, long timeout, String occasion, @Nullable Throwable cause) {
		this.context.events.unconfirmed(key);
		String reason = (cause != null) ? String.valueOf(cause.getMessage())
				: "no answer within " + DurationText.of(Duration.ofNanos(timeout));
		return new LockStoreException("Redis did not confirm lock '" + key + "'" + occasion + ": " + reason
				+ ". For work that must not depend on Redis here, set watchdog-lock.commit-check to -1, or that of the"
				+ " lock", cause);
	}

}
