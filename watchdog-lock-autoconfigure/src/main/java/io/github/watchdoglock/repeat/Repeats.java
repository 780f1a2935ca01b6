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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.SelectiveListener.End;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.SpinLock;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Repeats releases that failed by something that passes, until the store has carried them
 * out or their leases are over; and those that a former store has carried out. On a
 * thread that exists while any wait, and renews nothing. Thread-safe.
 */
public final class Repeats {

	private static final Logger logger = System.getLogger(Repeats.class.getName());

	private final Threads threads;

	private final Clock clock;

	private final LeaseStore store;

	private final Events events;

	private volatile boolean threaded;

	private volatile boolean keepsRecent;

	private volatile Runnable wanted = () -> {
	};

	/* Who has it begins no thread, and tells nobody. */
	private final SpinLock lock = SpinLock.innermost();

	/* The rest is guarded by the lock. */
	private final RepeatQueue queue = new RepeatQueue();

	private final RepeatPace pace = new RepeatPace();

	private final RecentReleases recent = new RecentReleases();

	/** Somebody waits for the end of this until some moment. */
	private @Nullable CompletableFuture<Void> settled;

	private long settleBy;

	private boolean running;

	private boolean closed;

	/**
	 * Create; turns are taken by hand until {@link #start()}.
	 * @param threads where its thread comes from
	 * @param clock the clock
	 * @param store is told
	 * @param events hear what becomes of each
	 */
	public Repeats(Threads threads, Clock clock, LeaseStore store, Events events) {
		this.threads = threads;
		this.clock = clock;
		this.store = store;
		this.events = events;
	}

	/**
	 * From now on a thread takes the turns.
	 */
	public void start() {
		this.threaded = true;
	}

	/**
	 * Have somebody call {@link #proceed()} soon where a thread can't be had, or has
	 * ended.
	 * @param wanted is told that one is wanted; must neither block nor throw
	 */
	public void whenThreadWanted(Runnable wanted) {
		this.wanted = wanted;
	}

	/**
	 * Try again to have a thread, if one is wanted.
	 */
	public void proceed() {
		run();
	}

	/**
	 * Send a release for the first time, and repeat it if that fails. What is told of the
	 * failure is told of holds alone.
	 * @param undo the release
	 */
	public void begin(Undo undo) {
		ask(undo, (answer, ex) -> answered(undo, answer, ex));
	}

	/* Told twice, should an error keep it from hearing; it hears once. */
	private void ask(Undo undo, BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> answered) {
		Hearing hearing = new Hearing(answered);
		try {
			CompletionStage<ReleaseAnswer> answer = undo.ask(this.store);
			var unused = answer.whenComplete(hearing);
			if (!hearing.heard.get()) {
				unused = answer.whenComplete(hearing);
			}
		}
		catch (RuntimeException | Error ex) {
			hearing.accept(null, ex);
		}
	}

	private void answered(Undo undo, @Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		if (answer == null && undo.until() - this.clock.read() > 0) {
			Throwable cause = StoreCalls.cause(ex);
			if (undo.token() != ReleaseCommand.NONE) {
				this.events.releaseFailed(undo.key(), undo.token(), cause);
			}
			add(undo, cause);
		}
	}

	/**
	 * Repeat a release that has failed; somebody was told where that is of interest.
	 * @param undo the release
	 * @param cause what it failed with
	 */
	public void add(Undo undo, Throwable cause) {
		if (cause instanceof CommandRefusedException) {
			return;
		}
		Undo dropped = undo;
		this.lock.lock();
		try {
			if (!this.closed) {
				if (this.queue.isEmpty()) {
					this.pace.begin(this.clock.read());
				}
				dropped = this.queue.add(undo);
			}
		}
		finally {
			this.lock.unlock();
		}
		run();
		if (dropped != null) {
			tell(dropped, End.DROPPED);
		}
	}

	/**
	 * From now on remember for a while what the store has carried out: another one may
	 * take its place, which has not heard of that.
	 */
	public void keepRecent() {
		this.keepsRecent = true;
	}

	/**
	 * Whether {@link #done(Undo)} is of use.
	 * @return whether what was done is remembered
	 */
	public boolean keepsRecent() {
		return this.keepsRecent;
	}

	/**
	 * Remember a release that the store has carried out.
	 * @param undo the release, as another store is told it
	 */
	public void done(Undo undo) {
		this.lock.lock();
		try {
			this.recent.add(undo, this.clock.read());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Repeat what was carried out a moment ago: the store is another one since. Where it
	 * throws, it may be called again.
	 */
	public void moved() {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			List<Undo> before = this.recent.list(this.clock.read());
			// Of a store that answers, all are sent soon; those that failed go on
			// waiting.
			for (Undo undo : before.subList(Math.max(before.size() - this.queue.room(), 0), before.size())) {
				if (this.queue.isEmpty()) {
					this.pace.begin(this.clock.read());
				}
				this.queue.add(undo);
			}
			this.recent.clear();
		}
		finally {
			this.lock.unlock();
		}
		run();
	}

	/**
	 * Wait for the end of what is to be repeated.
	 * @param time how long at most
	 * @return complete when nothing waits any more, or the time is over
	 */
	public CompletionStage<Void> settle(Duration time) {
		this.lock.lock();
		try {
			if (this.queue.isEmpty()) {
				return CompletableFuture.completedFuture(null);
			}
			CompletableFuture<Void> settled = this.settled;
			if (settled == null) {
				settled = new CompletableFuture<>();
				this.settled = settled;
				this.settleBy = this.clock.read() + time.toNanos();
			}
			return settled;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Repeat nothing more: what still waits is left to its lease.
	 */
	public void close() {
		List<Undo> dropped;
		this.lock.lock();
		try {
			this.closed = true;
			dropped = this.queue.removeAll();
		}
		finally {
			this.lock.unlock();
		}
		dropped.forEach((undo) -> tell(undo, End.DROPPED));
		settle();
	}

	private void run() {
		if (this.threaded && begin()) {
			try {
				this.threads.start("watchdog-lock-repeats", this::turns);
			}
			catch (Throwable ex) {
				// A claim that is not given back has nothing repeated any more.
				for (int left = 2; left > 0; left--) {
					try {
						left();
						left = 0;
					}
					catch (Throwable again) {
						// There may be room next time.
					}
				}
			}
		}
	}

	/* Whether a thread is to run from now on that does not. */
	private boolean begin() {
		this.lock.lock();
		try {
			boolean begun = !this.running && !this.queue.isEmpty();
			this.running |= begun;
			return begun;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* What waits is as good as lost without this thread. */
	@SuppressWarnings("ThreadPriorityCheck")
	private void turns() {
		boolean over = false;
		try {
			// For the locks that it shares with all callers: see SpinLock
			Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
			while (!over) {
				try {
					over = !goesOn();
					if (over) {
						// Whoever has emptied it may have failed before.
						settle();
						return;
					}
					turn();
					pause(this.clock.read() + RepeatPace.TICK);
				}
				catch (RuntimeException | Error ex) {
					recover(ex);
				}
			}
		}
		finally {
			if (!over) {
				left();
			}
		}
	}

	private void pause(long end) {
		for (long left = RepeatPace.TICK; left > 0; left = end - this.clock.read()) {
			// Left over, it would have this spin.
			var unused = Thread.interrupted();
			this.threads.park(this, left);
		}
	}

	private void recover(Throwable failure) {
		try {
			logger.log(Level.ERROR, "Releases go on being repeated after an unexpected failure", failure);
		}
		finally {
			var unused = Thread.interrupted();
			this.threads.park(this, RepeatPace.TICK);
		}
	}

	/* Whatever has ended it. */
	private void left() {
		this.lock.lock();
		try {
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
		this.wanted.run();
	}

	private boolean goesOn() {
		this.lock.lock();
		try {
			this.running = !this.queue.isEmpty();
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Do what is due, once for each tick of ten milliseconds.
	 */
	public void turn() {
		long now = this.clock.read();
		List<Undo> over;
		int most;
		this.lock.lock();
		try {
			over = this.queue.removeOver(now);
			// Each once, even where it fails at once.
			int toSend = this.queue.toSend();
			most = (toSend > 0) ? Math.min(toSend, this.pace.next(now, this.queue.underWay(), this.threads.random()))
					: 0;
		}
		finally {
			this.lock.unlock();
		}
		while (most > 0 && sendNext()) {
			most--;
		}
		over.forEach((undo) -> tell(undo, End.OVER));
		settle();
	}

	private boolean sendNext() {
		RepeatQueue.Entry entry;
		this.lock.lock();
		try {
			entry = this.queue.next();
		}
		finally {
			this.lock.unlock();
		}
		if (entry == null) {
			return false;
		}
		try {
			ask(entry.undo(), (answer, ex) -> answered(entry, answer, ex));
		}
		catch (RuntimeException | Error ex) {
			putBack(entry);
		}
		return true;
	}

	private void putBack(RepeatQueue.Entry entry) {
		this.lock.lock();
		try {
			this.queue.again(entry);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void answered(RepeatQueue.Entry entry, @Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		boolean refused = answer == null && StoreCalls.cause(ex) instanceof CommandRefusedException;
		boolean ended = false;
		this.lock.lock();
		try {
			if (answer != null || refused) {
				this.pace.answered();
				ended = this.queue.remove(entry);
			}
			else {
				this.pace.failed();
				this.queue.again(entry);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (ended) {
			settle();
			tell(entry.undo(), refused ? End.DROPPED : End.DONE);
		}
	}

	/* Nobody waits longer than is of use. */
	private void settle() {
		CompletableFuture<Void> settled = null;
		this.lock.lock();
		try {
			if (this.queue.isEmpty() || this.clock.read() - this.settleBy >= 0) {
				settled = this.settled;
				this.settled = null;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (settled != null) {
			settled.complete(null);
		}
	}

	private void tell(Undo undo, End end) {
		if (!undo.told()) {
			return;
		}
		this.events.releaseRepeated(undo.key(), undo.token(), end);
	}

	/**
	 * Takes the first answer to a release.
	 */
	private static final class Hearing implements BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> {

		private final BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> answered;

		private final AtomicBoolean heard = new AtomicBoolean();

		private Hearing(BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> answered) {
			this.answered = answered;
		}

		@Override
		public void accept(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
			if (!this.heard.compareAndSet(false, true)) {
				return;
			}
			boolean taken = false;
			try {
				this.answered.accept(answer, failure);
				taken = true;
			}
			finally {
				this.heard.set(taken);
			}
		}

	}

}
