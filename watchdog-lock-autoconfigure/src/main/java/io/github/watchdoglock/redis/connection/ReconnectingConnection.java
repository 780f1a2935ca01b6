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

package io.github.watchdoglock.redis.connection;

import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that one thread opens at its first use and reopens after failures. Other
 * threads do not wait for it, and a use of an open connection takes no lock. Uses before
 * the end of the first attempt are kept, in their order, until that attempt has ended.
 * Thread-safe.
 *
 * @param <C> the kind of connection
 */
@SuppressWarnings("FutureReturnValueIgnored")
public final class ReconnectingConnection<C extends AutoCloseable> implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReconnectingConnection.class);

	private final Callable<C> opening;

	private final Runnable opened;

	private final Runnable lost;

	private final ScheduledExecutorService thread;

	private final ConnectionBackOff backOff;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicReference<State<C>> state = new AtomicReference<>(new Opening<>(null));

	/** A connection that was lost, possibly before it was in use. */
	private volatile @Nullable C broken;

	/** The last connection that was taken out of use. */
	private volatile @Nullable C former;

	/** The next attempt to open it, until that starts; accessed by the thread only. */
	private @Nullable Future<?> next;

	/** Whether that attempt must not be delayed; accessed by the thread only. */
	private boolean openAtOnce;

	private volatile boolean closed;

	/**
	 * Create a connection that is not open yet.
	 * @param backOff delays attempts and logs failures
	 * @param opening opens a connection; runs on the thread, which also closes the
	 * connection, and may block
	 * @param opened runs on the thread each time that a connection has come into use
	 * @param lost runs on any thread each time that one is taken out of use; must not
	 * block
	 * @param thread opens and closes connections; discards tasks after its end
	 */
	public ReconnectingConnection(ConnectionBackOff backOff, Callable<C> opening, Runnable opened, Runnable lost,
			ScheduledExecutorService thread) {
		this.backOff = backOff;
		this.opening = opening;
		this.opened = opened;
		this.lost = lost;
		this.thread = thread;
	}

	/**
	 * Notify when a connection is lost, possibly several times. The owner closes it then:
	 * Lettuce would reconnect without asking which server answers there now.
	 * @param connection the connection
	 * @param lost receives the loss, on any thread
	 */
	public static void whenLost(StatefulConnection<?, ?> connection, Consumer<Throwable> lost) {
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				lost.accept(new SocketException("the connection was lost"));
			}

		});
		if (!connection.isOpen()) {
			lost.accept(new SocketException("the connection was lost"));
		}
	}

	/**
	 * Open the connection, unless that has begun already.
	 * @return whether this call has begun it
	 */
	public boolean begin() {
		if (this.begun.get() || !this.begun.compareAndSet(false, true)) {
			return false;
		}
		this.thread.execute(this::open);
		return true;
	}

	/**
	 * Return whether opening it has begun.
	 * @return true from the call of {@link #begin()} on
	 */
	public boolean isBegun() {
		return this.begun.get();
	}

	/**
	 * Return whether the first attempt to open it has not ended yet.
	 * @return true also if it has not begun
	 */
	public boolean isFirst() {
		return this.state.get() instanceof Opening;
	}

	/**
	 * Use the connection, now or when the first attempt to open one has ended.
	 * @param action the use; must not block
	 * @param otherwise receives the reason if there is no connection
	 */
	public void use(Consumer<C> action, Consumer<Throwable> otherwise) {
		State<C> state = this.state.get();
		if (state instanceof Opening) {
			begin();
		}
		while (state instanceof Opening<C> first && !this.state.compareAndSet(first,
				new Opening<>(new Use<>(action, otherwise, first.last, new AtomicBoolean())))) {
			state = this.state.get();
		}
		if (state instanceof InUse<C> inUse) {
			action.accept(inUse.connection);
		}
		else if (state instanceof Failed<C> failed) {
			otherwise.accept(failed.reason);
		}
	}

	/**
	 * Use the connection, if there is one at this moment.
	 * @param action the use; must not block
	 */
	public void useIfAny(Consumer<C> action) {
		C current = connection();
		if (current != null) {
			action.accept(current);
		}
	}

	private @Nullable C connection() {
		return (this.state.get() instanceof InUse<C> inUse) ? inUse.connection : null;
	}

	/**
	 * Close the connection, if there is one, and open another one.
	 * @param reason the reason
	 */
	public void reopen(Throwable reason) {
		useIfAny((current) -> reopen(current, reason));
	}

	/**
	 * Close a connection and open another one.
	 * @param suspect the connection; nothing happens if it is not in use any more
	 * @param reason the reason
	 */
	public void reopen(C suspect, Throwable reason) {
		if (suspect == this.former) {
			// A late failure of a former connection must not hide that the next one is
			// lost.
			return;
		}
		// Set before the state is read, because the connection may be about to come into
		// use.
		this.broken = suspect;
		if (this.closed || !takeOutOfUse(suspect, reason)) {
			return;
		}
		this.thread.execute(() -> {
			close(suspect);
			openLater(this.backOff.delayAfterLoss());
			this.backOff.report(reason);
		});
	}

	private boolean takeOutOfUse(C suspect, Throwable reason) {
		boolean taken = this.state.get() instanceof InUse<C> inUse && inUse.connection == suspect
				&& this.state.compareAndSet(inUse, new Failed<>(reason));
		if (taken) {
			this.former = suspect;
			this.lost.run();
		}
		return taken;
	}

	/**
	 * Try to open a connection at once, unless the connection that is in use may stay.
	 * @param mayStay decides whether a connection may stay
	 * @param reason the reason for closing the others
	 */
	public void reopenNow(Predicate<C> mayStay, Throwable reason) {
		if (!this.closed && this.begun.get()) {
			this.thread.execute(() -> {
				C current = connection();
				if (current != null && !mayStay.test(current) && takeOutOfUse(current, reason)) {
					close(current);
					open();
				}
				else if (current == null) {
					openNow();
				}
			});
		}
	}

	/**
	 * Close the connection, and let the thread open another one with its next task. Uses
	 * that wait for the first one fail. Called by the thread.
	 * @param reason the reason
	 */
	public void suspend(Throwable reason) {
		C current = connection();
		if (current != null && takeOutOfUse(current, reason)) {
			close(current);
			openLater(0);
		}
		else if (isBegun() && isFirst()) {
			fail(reason);
		}
	}

	private void openNow() {
		Future<?> next = this.next;
		if (next != null && next.cancel(false)) {
			open();
		}
		else {
			// Guard against a race with a loss whose task on the thread comes later.
			this.openAtOnce = true;
		}
	}

	private void openLater(long delay) {
		this.next = this.thread.schedule(this::open, this.openAtOnce ? 0 : delay, TimeUnit.MILLISECONDS);
		this.openAtOnce = false;
	}

	/* A failure to close a broken connection must not prevent the next one. */
	private void close(C suspect) {
		try {
			suspect.close();
		}
		catch (Exception | Error ex) {
			logger.debug("A broken connection to Redis could not be closed", ex);
		}
	}

	/* The connection stays, even if the notification fails. */
	private void open() {
		if (tryToOpen()) {
			this.opened.run();
		}
	}

	private boolean tryToOpen() {
		this.next = null;
		this.openAtOnce = false;
		if (this.closed) {
			return false;
		}
		long begun = System.nanoTime();
		this.broken = null;
		try {
			C opened = this.opening.call();
			try {
				fill(opened);
			}
			catch (Throwable ex) {
				close(opened);
				throw ex;
			}
			this.backOff.end();
			return true;
		}
		catch (Throwable ex) {
			// Errors too, or no connection would ever be opened again. A use that fails
			// may close this object, and the log must name the reason nevertheless.
			boolean wanted = !this.closed;
			try {
				fail(ex);
			}
			finally {
				if (wanted) {
					openLater(this.backOff.nextDelay(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
					this.backOff.report(ex);
				}
			}
			return false;
		}
	}

	/* Uses that were kept run first, so that no later one overtakes them. */
	private void fill(C opened) throws SocketException {
		State<C> before;
		Use<C> done = null;
		do {
			before = this.state.get();
			ensureIntact(opened);
			if (before instanceof Opening<C> kept) {
				inOrder(kept.last, done).forEach((use) -> use.run(opened));
				done = kept.last;
			}
			// A command may have been rejected at once.
			ensureIntact(opened);
		}
		while (!this.state.compareAndSet(before, new InUse<>(opened)));
		if (this.broken == opened && takeOutOfUse(opened, new SocketException("the connection was lost"))) {
			ensureIntact(opened);
		}
	}

	private void ensureIntact(C opened) throws SocketException {
		if (this.broken == opened) {
			throw new SocketException("the connection was lost");
		}
	}

	private void fail(Throwable reason) {
		State<C> before = this.state.getAndSet(new Failed<>(reason));
		if (before instanceof Opening<C> kept) {
			inOrder(kept.last, null).forEach((use) -> use.fail(reason));
		}
	}

	/* The uses after a given use, the oldest first. */
	@SuppressWarnings("ReferenceEquality")
	private static <C> Deque<Use<C>> inOrder(@Nullable Use<C> last, @Nullable Use<C> after) {
		Deque<Use<C>> uses = new ArrayDeque<>();
		for (Use<C> use = last; use != null && use != after; use = use.before) {
			uses.addFirst(use);
		}
		return uses;
	}

	/**
	 * Reject later uses. The owner closes the connection itself.
	 */
	@Override
	public void close() {
		this.closed = true;
		fail(new IllegalStateException("closed"));
	}

	/**
	 * The state of the connection, as a use finds it.
	 *
	 * @param <C> the kind of connection
	 */
	private sealed interface State<C> {

	}

	/**
	 * The state until the first attempt has ended.
	 *
	 * @param last the last use that was kept, if any
	 */
	private record Opening<C>(@Nullable Use<C> last) implements State<C> {

	}

	private record InUse<C>(C connection) implements State<C> {

	}

	private record Failed<C>(Throwable reason) implements State<C> {

	}

	/**
	 * A use that is kept until there is a connection, and the use before it. It either
	 * runs or fails, never both, because a command that was sent may have had an effect.
	 */
	private record Use<C>(Consumer<C> action, Consumer<Throwable> otherwise, @Nullable Use<C> before,
			AtomicBoolean over) {

		private void run(C connection) {
			if (this.over.compareAndSet(false, true)) {
				this.action.accept(connection);
			}
		}

		private void fail(Throwable reason) {
			if (this.over.compareAndSet(false, true)) {
				this.otherwise.accept(reason);
			}
		}

	}

}
