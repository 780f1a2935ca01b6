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

package io.github.watchdoglock.listener;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.time.SpinLock;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Calls one listener on a thread of its own, which exists while there is something to
 * tell. News that it can't keep up with are counted and dropped; losses only where so
 * many wait that it will hardly hear of any.
 */
final class ListenerQueue {

	private static final Logger logger = System.getLogger(ListenerQueue.class.getName());

	private static final String NAME = "watchdog-lock-listener";

	/* A second's worth of a very busy instance; a few megabytes at most. */
	private static final int CAPACITY = 10_000;

	/* All locks of a very busy instance, ten times over. */
	private static final int MOST_LOSSES = 100_000;

	private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

	/* Between two warnings of the same kind. */
	private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

	private final LockListener listener;

	private final Threads threads;

	private final Runnable wanted;

	/* Who has it begins no thread. */
	private final SpinLock lock = SpinLock.innermost();

	/* The rest is guarded by the lock. */
	/* Not an ArrayDeque: out of memory, that has what it could not take. */
	@SuppressWarnings("JdkObsolete")
	private final Queue<Consumer<LockListener>> news = new LinkedList<>();

	/** The one that waits for news, or has; null before. */
	private @Nullable Thread thread;

	/** Whether there is one, or is about to be. */
	private boolean running;

	private boolean idle;

	private boolean closed;

	/** Since the last warning that it is over, or the first of them. */
	private long dropped;

	private final Pace beginnings = new Pace();

	private final Pace ends = new Pace();

	/*
	 * What is run where a thread is wanted and not to be had is to have somebody proceed
	 * with this in a while.
	 */
	ListenerQueue(LockListener listener, Threads threads, Runnable wanted) {
		this.wanted = wanted;
		this.listener = listener;
		this.threads = threads;
	}

	void add(Consumer<LockListener> news) {
		add(news, CAPACITY);
	}

	void addRoutine(Consumer<LockListener> news) {
		if (!(this.listener instanceof SelectiveListener selective) || selective.hearsRoutine()) {
			add(news, CAPACITY);
		}
	}

	void addRepetition(Consumer<LockListener> news) {
		if (this.listener instanceof SelectiveListener selective && selective.hearsRepetitions()) {
			add(news, CAPACITY);
		}
	}

	void addLoss(Consumer<LockListener> news) {
		add(news, MOST_LOSSES);
	}

	/* Throws nothing: what can't be remembered for want of memory is missed. */
	private void add(Consumer<LockListener> news, int capacity) {
		Thread called = null;
		boolean wanted = false;
		boolean told = true;
		this.lock.lock();
		try {
			if (this.news.size() >= capacity) {
				this.dropped++;
				told = !this.beginnings.begins(this.threads.elapsed());
			}
			else {
				this.news.add(news);
				wanted = !this.running;
				if (this.idle) {
					this.idle = false;
					called = this.thread;
				}
			}
		}
		catch (Throwable ex) {
			this.dropped++;
		}
		finally {
			this.lock.unlock();
		}
		try {
			if (called != null) {
				this.threads.unpark(called);
			}
			else if (wanted) {
				proceed();
			}
			else if (!told) {
				miss(capacity == MOST_LOSSES);
			}
		}
		catch (Throwable ex) {
			this.wanted.run();
		}
	}

	/* Said by a thread that is none of the callers', since the listener's is busy. */
	private void miss(boolean loss) {
		try {
			this.threads.start(NAME, () -> warn(loss
					? "{0} does not come back, and misses even losses of locks: {1} news wait for it"
					: "{0} can not keep up with the locks of this instance: what comes beyond {1} news is dropped,"
							+ " except losses",
					loss ? MOST_LOSSES : CAPACITY));
		}
		catch (Throwable ex) {
			// The next one tries.
			this.lock.lock();
			this.beginnings.begun = false;
			this.lock.unlock();
		}
	}

	/*
	 * Have a thread, if one is wanted. Where there is none to be had now, the next news
	 * or who is asked tries again.
	 */
	void proceed() {
		boolean mine = false;
		try {
			mine = begin();
			if (mine) {
				this.threads.start(NAME, this::run);
			}
		}
		catch (Throwable ex) {
			// A claim that is not given back has the listener hear nothing any more.
			for (int left = 2; left > 0; left--) {
				try {
					end(mine);
					this.wanted.run();
					left = 0;
				}
				catch (Throwable again) {
					// There may be room next time.
				}
			}
		}
	}

	/* Whether a thread is to run from now on that does not. */
	private boolean begin() {
		this.lock.lock();
		try {
			boolean begun = !this.running && !this.news.isEmpty();
			this.running |= begun;
			return begun;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end(boolean begun) {
		this.lock.lock();
		try {
			if (begun) {
				this.running = false;
				this.thread = null;
				this.idle = false;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Its thread ends with what there is to tell; there may be more to tell later. */
	void close() {
		Thread called;
		this.lock.lock();
		try {
			this.closed = true;
			this.idle = false;
			called = this.thread;
		}
		finally {
			this.lock.unlock();
		}
		if (called != null) {
			this.threads.unpark(called);
		}
	}

	private void run() {
		boolean over = false;
		try {
			Consumer<LockListener> news = next();
			while (news != null) {
				tell(news, this.listener);
				// What the listener has left is not for the next one.
				var unused = Thread.interrupted();
				news = next();
			}
			over = true;
		}
		finally {
			if (!over) {
				left();
			}
		}
	}

	/* Whatever has ended it. */
	private void left() {
		end(true);
		proceed();
	}

	private @Nullable Consumer<LockListener> next() {
		long end = this.threads.elapsed() + IDLE;
		while (true) {
			long missed = 0;
			long now = this.threads.elapsed();
			long wait = 0;
			this.lock.lock();
			try {
				Consumer<LockListener> news = this.news.poll();
				if (news != null) {
					this.idle = false;
					return news;
				}
				if (this.dropped > 0 && (this.closed || this.ends.permits(now))) {
					missed = this.dropped;
					this.dropped = 0;
					this.ends.said(now);
				}
				else {
					wait = ((this.dropped > 0) ? this.ends.end() : end) - now;
					if (this.closed || wait <= 0) {
						this.running = false;
						this.thread = null;
						this.idle = false;
						return null;
					}
					this.thread = Thread.currentThread();
					this.idle = true;
				}
			}
			finally {
				this.lock.unlock();
			}
			if (missed > 0) {
				warn("{0} missed {1} news of locks, and hears them again", missed);
			}
			else {
				// Left over, it would have this spin.
				var unused = Thread.interrupted();
				this.threads.park(this, wait);
			}
		}
	}

	private void warn(String text, long number) {
		try {
			logger.log(Level.WARNING, text, this.listener.getClass().getName(), number);
		}
		catch (Throwable ex) {
			// The locks go on.
		}
	}

	/* Not even what fails while it is logged comes out of it. */
	private static void tell(Consumer<LockListener> news, LockListener listener) {
		try {
			news.accept(listener);
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	static void failed(Throwable cause) {
		try {
			logger.log(Level.WARNING, "A lock listener failed; the lock is not affected", cause);
		}
		catch (Throwable ex) {
			// There is nobody left to tell.
		}
	}

	/**
	 * Once in a while.
	 */
	private static final class Pace {

		private boolean begun;

		private long last;

		/* Whether it is to be said now; then it is. */
		private boolean begins(long now) {
			boolean permitted = permits(now);
			if (permitted) {
				said(now);
			}
			return permitted;
		}

		private boolean permits(long now) {
			return !this.begun || end() - now <= 0;
		}

		private void said(long now) {
			this.begun = true;
			this.last = now;
		}

		private long end() {
			return this.last + QUIET;
		}

	}

}
