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

package io.github.watchdoglock.repeat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.SelectiveListener.End;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The repetition of releases: of those that failed temporarily, until the store has
 * carried them out or their leases have expired, and of those that a former store has
 * carried out. Thread-safe, and never parks a thread, except that only one thread at a
 * time may take a turn.
 */
public final class Repeats {

	private final Threads threads;

	private final Clock clock;

	private final LeaseStore store;

	private final Events events;

	private final Runnable turnNeeded;

	private final RecentReleases recent = new RecentReleases();

	/** Changes by other threads, until the next turn applies them. */
	private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

	/** Whether another turn will come. */
	private final AtomicBoolean turnExpected = new AtomicBoolean();

	private volatile boolean closed;

	/* The following fields are used by turns only. */
	private final RepeatQueue queue = new RepeatQueue();

	private final RepeatPace pace = new RepeatPace();

	/** Futures that wait for the end of all repetitions, with their timeouts. */
	private final Map<CompletableFuture<Void>, Long> settling = new HashMap<>();

	/**
	 * Create without anything to repeat.
	 * @param threads the source of random numbers
	 * @param clock the clock
	 * @param store the store to which releases are sent
	 * @param events are notified of the outcome of each release
	 * @param turnNeeded causes a {@link #turn()} soon; called on any thread when there is
	 * something to do and no turn is expected; must neither block nor throw
	 */
	public Repeats(Threads threads, Clock clock, LeaseStore store, Events events, Runnable turnNeeded) {
		this.threads = threads;
		this.clock = clock;
		this.store = store;
		this.events = events;
		this.turnNeeded = turnNeeded;
	}

	/**
	 * Send a release for the first time, and repeat it if it fails. The failure is
	 * reported only if the release belongs to a hold.
	 * @param undo the release
	 */
	public void begin(Undo undo) {
		var unused = ask(undo).whenComplete((answer, ex) -> {
			if (answer == null && undo.until() - this.clock.read() > 0) {
				Throwable cause = StoreCalls.cause(ex);
				if (undo.token() != ReleaseCommand.NONE) {
					this.events.releaseFailed(undo.key(), undo.token(), cause);
				}
				add(undo, cause);
			}
		});
	}

	/**
	 * Repeat a release whose failure was already reported, if necessary.
	 * @param undo the release
	 * @param cause why it failed
	 */
	public void add(Undo undo, Throwable cause) {
		if (!(cause instanceof CommandRefusedException)) {
			change(() -> enqueue(undo));
		}
	}

	/**
	 * Remember a release that the store has carried out: a store that is restarted or
	 * replaced may not know of it.
	 * @param command the release
	 * @param sent when it was sent
	 * @param until the time after which no store has anything of the attempt any more
	 */
	public void done(ReleaseCommand command, long sent, long until) {
		this.recent.add(command, sent, until);
	}

	/**
	 * Repeat the releases that were carried out recently, because the store may have been
	 * restarted or replaced.
	 */
	public void repeatRecent() {
		if (this.recent.isEmpty()) {
			// Before the first lock, no thread would take the turn.
			return;
		}
		change(() -> {
			List<Undo> before = this.recent.removeAll(this.clock::read);
			// A store that answers receives all of them soon. They do not displace failed
			// releases that wait already: if there is not enough room, the oldest are
			// left out.
			before.subList(Math.max(before.size() - this.queue.room(), 0), before.size()).forEach(this::enqueue);
		});
	}

	/**
	 * Wait for the end of all repetitions.
	 * @param time how long at most
	 * @return completed when nothing is left to repeat, or by the first turn after that
	 * time
	 */
	public CompletionStage<Void> settle(Duration time) {
		// Check in this order: while a turn works on a change that it has removed,
		// another turn is still expected.
		if (this.closed || (this.changes.isEmpty() && !this.turnExpected.get())) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> settled = new CompletableFuture<>();
		long until = this.clock.read() + time.toNanos();
		change(() -> this.settling.put(settled, until));
		return settled;
	}

	/**
	 * Stop repeating: the releases that still wait are left to their leases, and the next
	 * turn reports them as dropped.
	 */
	public void close() {
		this.closed = true;
	}

	private void change(Runnable change) {
		this.changes.add(change);
		if (this.turnExpected.compareAndSet(false, true)) {
			try {
				this.turnNeeded.run();
			}
			catch (Throwable ex) {
				// Otherwise no release would ever be repeated again.
				this.turnExpected.set(false);
				throw ex;
			}
		}
	}

	/**
	 * Apply changes, and send the releases that are due. Not thread-safe.
	 * @return whether to call this again in ten milliseconds
	 */
	public boolean turn() {
		applyChanges();
		long now = this.clock.read();
		this.queue.removeWhile((undo) -> this.closed || undo.until() - now <= 0)
			.forEach((undo) -> report(undo, this.closed ? End.DROPPED : End.OVER));
		send(now);
		// For commands that were answered at once.
		applyChanges();
		boolean empty = this.queue.isEmpty();
		this.settling.entrySet()
			.removeIf((waiting) -> (empty || now - waiting.getValue() >= 0) && waiting.getKey().complete(null));
		if (!empty) {
			return true;
		}
		this.turnExpected.set(false);
		// Guard against a race with a thread that added a change and still expected this
		// turn to apply it.
		return !this.changes.isEmpty() && this.turnExpected.compareAndSet(false, true);
	}

	private void applyChanges() {
		for (Runnable change = this.changes.poll(); change != null; change = this.changes.poll()) {
			change.run();
		}
	}

	private void enqueue(Undo undo) {
		if (this.queue.isEmpty()) {
			this.pace.begin(this.clock.read());
		}
		Undo dropped = this.queue.add(undo);
		if (dropped != null) {
			report(dropped, End.DROPPED);
		}
	}

	private void send(long now) {
		int most = (this.queue.toSend() > 0) ? this.pace.next(now, this.queue.underWay(), this.threads.random()) : 0;
		for (int i = 0; i < most; i++) {
			RepeatQueue.Entry entry = this.queue.next();
			if (entry == null) {
				return;
			}
			var unused = ask(entry.undo()).whenComplete((answer, ex) -> change(() -> answered(entry, answer, ex)));
		}
	}

	private CompletionStage<ReleaseAnswer> ask(Undo undo) {
		long sent = this.clock.read();
		return undo.ask(this.store)
			.whenComplete((answer, ex) -> this.events.commandEnded(Command.RELEASE, this.clock.read() - sent, ex));
	}

	private void answered(RepeatQueue.Entry entry, @Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		boolean refused = answer == null && StoreCalls.cause(ex) instanceof CommandRefusedException;
		if (answer == null && !refused) {
			this.pace.failed();
			this.queue.retry(entry);
			return;
		}
		this.pace.answered();
		if (this.queue.remove(entry)) {
			report(entry.undo(), refused ? End.DROPPED : End.DONE);
		}
	}

	private void report(Undo undo, End end) {
		if (undo.reported()) {
			this.events.releaseRepeated(undo.key(), undo.token(), end);
		}
	}

}
