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

package io.github.watchdoglock.leader;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * A listener, and what it has not been told yet; on a thread that is there while there is
 * something to tell. Thread-safe; to tell neither blocks nor throws.
 */
final class Audience {

	private static final Log log = new Log(Audience.class);

	private static final String NAME = "watchdog-lock-leader-listener";

	/* It has not come back for as many terms. */
	private static final int MOST = 10_000;

	private final LeaderListener listener;

	private final Threads threads;

	private final Delays delays;

	private final @Nullable ClassLoader classes;

	private final ReentrantLock lock = new ReentrantLock();

	/* The rest is guarded by the lock. */

	/** Whole also where there is no memory for one more, unlike one in an array. */
	@SuppressWarnings("JdkObsolete")
	private final Queue<Piece> news = new LinkedList<>();

	/** Whether there is a thread that tells, or will be. */
	private boolean told;

	/** Since it was said last that some were. */
	private long dropped;

	private @Nullable Thread teller;

	Audience(LeaderListener listener, Threads threads, Delays delays, @Nullable ClassLoader classes) {
		this.listener = listener;
		this.threads = threads;
		this.delays = delays;
		this.classes = classes;
	}

	void tell(Consumer<LeaderListener> piece) {
		tell(piece, () -> {
		});
	}

	/*
	 * Done is run when the listener has come back, or misses it, or can't be told by now;
	 * must not block.
	 */
	void tell(Consumer<LeaderListener> piece, Runnable done) {
		boolean idle = false;
		boolean missed = true;
		boolean first = false;
		Throwable failure = null;
		this.lock.lock();
		try {
			missed = this.news.size() >= MOST;
			if (missed) {
				this.dropped++;
			}
			else {
				this.news.add(new Piece(piece, done));
			}
			first = missed && this.dropped == 1;
			idle = !missed && !this.told;
			this.told |= idle;
		}
		catch (Throwable ex) {
			// There is no memory for it.
			missed = true;
			failure = ex;
		}
		finally {
			this.lock.unlock();
		}
		if (missed || (idle && !begin())) {
			finish(done);
		}
		if (first) {
			saySoon(this::sayThatSomeAreDropped);
		}
		Throwable missing = failure;
		if (missing != null) {
			saySoon(() -> log.say(Level.WARNING, () -> "A leader listener misses news", missing));
		}
	}

	/* Where there is no thread to be had, it is tried again, or with the next news. */
	private boolean begin() {
		try {
			this.threads.start(NAME, this::run);
			return true;
		}
		catch (Throwable ex) {
			boolean again = beginLater();
			saySoon(() -> log.say(Level.WARNING, () -> "A leader listener is told later", ex));
			return again;
		}
	}

	private boolean beginLater() {
		try {
			this.delays.after(SystemDelays.AGAIN, this::begin);
			return true;
		}
		catch (Throwable ex) {
			this.lock.lock();
			try {
				this.told = false;
			}
			finally {
				this.lock.unlock();
			}
			return false;
		}
	}

	private static void finish(Runnable done) {
		try {
			done.run();
		}
		catch (Throwable ex) {
			log.say(Level.WARNING, () -> "What comes after the news of a leader listener failed", ex);
		}
	}

	/*
	 * By a thread that is none of the callers': they may be deciding something, and a log
	 * may block.
	 */
	private void saySoon(Runnable line) {
		try {
			this.delays.after(Duration.ZERO, line);
		}
		catch (Throwable ex) {
			// What was dropped is said when the listener has come back.
		}
	}

	private void sayThatSomeAreDropped() {
		log.say(Level.WARNING, () -> this.listener.getClass().getName()
				+ " does not come back, and misses even the ends of terms: " + MOST + " news wait for it");
	}

	private void run() {
		Piece piece = next(Thread.currentThread());
		while (piece != null) {
			Throwable failure = tell(piece);
			// What it has left is not for the next one.
			var unused = Thread.interrupted();
			finish(piece.done);
			if (failure != null) {
				log.say(Level.WARNING, () -> "A leader listener failed; the term is not affected", failure);
			}
			piece = next(Thread.currentThread());
		}
	}

	private @Nullable Throwable tell(Piece piece) {
		try {
			Thread.currentThread().setContextClassLoader(this.classes);
			piece.news.accept(this.listener);
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	private @Nullable Piece next(Thread thread) {
		Piece piece;
		long missed = 0;
		this.lock.lock();
		try {
			piece = this.news.poll();
			this.told = piece != null;
			this.teller = (piece != null) ? thread : null;
			if (piece == null) {
				missed = this.dropped;
				this.dropped = 0;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (missed > 0) {
			String count = missed + " news of leaders";
			log.say(Level.WARNING,
					() -> this.listener.getClass().getName() + " missed " + count + ", and hears them again");
		}
		return piece;
	}

	/* Whether the calling thread is the listener's at this moment. */
	boolean isTeller() {
		this.lock.lock();
		try {
			return this.teller == Thread.currentThread();
		}
		finally {
			this.lock.unlock();
		}
	}

	List<String> stack() {
		this.lock.lock();
		try {
			return Stacks.of(this.teller);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return "its listener " + this.listener.getClass().getName();
	}

	/**
	 * Something to be told.
	 *
	 * @param news tells it
	 * @param done what comes after
	 */
	private record Piece(Consumer<LeaderListener> news, Runnable done) {

	}

}
