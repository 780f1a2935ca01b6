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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Tells each observer inline, and each listener on a thread of its own. Neither can break
 * or delay a lock. Of roles' keys only who elects leaders hears.
 */
public final class Events implements EngineObserver {

	/** Notified inline, also about the engine. */
	private final EngineObserver[] engineObservers;

	/** Notified inline. */
	private final LockListener[] otherObservers;

	private final Threads threads;

	private volatile Runnable wanted = () -> {
	};

	private volatile RoleObserver roles = RoleObserver.NONE;

	private final List<ListenerQueue> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Create with those who are told inline.
	 * @param observers must neither block nor throw; those that are
	 * {@link EngineObserver}s hear more
	 */
	public Events(LockListener... observers) {
		this(Threads.system(), observers);
	}

	/**
	 * The same, with threads that come from elsewhere.
	 * @param threads where the listeners' threads come from
	 * @param observers must neither block nor throw
	 */
	public Events(Threads threads, LockListener... observers) {
		this.threads = threads;
		// Once: on a JDK 17, each check for another interface writes to the class, which
		// all processors share.
		this.engineObservers = Stream.of(observers)
			.filter(EngineObserver.class::isInstance)
			.toArray(EngineObserver[]::new);
		this.otherObservers = Stream.of(observers)
			.filter((observer) -> !(observer instanceof EngineObserver))
			.toArray(LockListener[]::new);
	}

	/**
	 * Notify a listener of what happens from now on, on a thread of its own, by the
	 * methods of {@link LockListener}.
	 * @param listener the listener
	 * @return to be run to tell it no more
	 */
	public Runnable add(LockListener listener) {
		ListenerQueue queue = new ListenerQueue(listener, this.threads, () -> this.wanted.run());
		this.listeners.add(queue);
		return () -> {
			this.listeners.remove(queue);
			queue.close();
		};
	}

	/**
	 * Say who hears of the locks by which leaders are elected, and nobody else does.
	 * @param observer hears of them inline
	 */
	public void tellOfRoles(RoleObserver observer) {
		this.roles = observer;
	}

	/**
	 * Say what is run where a listener's thread is not to be had.
	 * @param wanted has somebody {@link #proceed()} in a while; must be quick
	 */
	public void whenThreadWanted(Runnable wanted) {
		this.wanted = wanted;
	}

	/**
	 * Try again to begin threads that could not be had.
	 */
	public void proceed() {
		this.listeners.forEach(ListenerQueue::proceed);
	}

	/**
	 * What is told from now on leaves no thread behind.
	 */
	public void close() {
		this.listeners.forEach(ListenerQueue::close);
	}

	@Override
	public void waiting(LockKey key, Mode mode) {
		tell(key, ListenerQueue::addRoutine, (observer) -> observer.waiting(key, mode),
				(listener) -> listener.waiting(key));
	}

	@Override
	public void acquired(Held hold, Duration waited) {
		tell(hold.key(), ListenerQueue::addRoutine, (observer) -> observer.acquired(hold, waited),
				(listener) -> listener.acquired(hold.key(), hold.token(), waited));
	}

	@Override
	public void notAcquired(LockKey key, Mode mode, Outcome outcome, Duration waited) {
		tell(key, ListenerQueue::addRoutine, (observer) -> observer.notAcquired(key, mode, outcome, waited),
				(listener) -> listener.notAcquired(key, outcome, waited));
	}

	@Override
	public void renewed(LockKey key, long token) {
		tell(key, ListenerQueue::addRoutine, (listener) -> listener.renewed(key, token));
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		tell(key, ListenerQueue::add, (listener) -> listener.renewalFailed(key, token, cause));
	}

	@Override
	public void atRisk(Held hold, Duration remaining, Throwable cause) {
		LockKey key = hold.key();
		long token = hold.token();
		tellOfRole(key, (observer) -> observer.atRisk(key, token, remaining, cause));
		tell(key, ListenerQueue::add, (observer) -> observer.atRisk(hold, remaining, cause),
				(listener) -> listener.atRisk(key, token, remaining, cause));
	}

	@Override
	public void recovered(Held hold) {
		LockKey key = hold.key();
		long token = hold.token();
		tellOfRole(key, (observer) -> observer.recovered(key, token));
		tell(key, ListenerQueue::add, (observer) -> observer.recovered(hold),
				(listener) -> listener.recovered(key, token));
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		tell(key, ListenerQueue::add, (listener) -> listener.longHold(key, token, held, stack));
	}

	@Override
	public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		tell(key, ListenerQueue::add, (listener) -> listener.maxHoldExceeded(key, token, held, stack));
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		tell(key, ListenerQueue::add, (listener) -> listener.abandoned(key, token, thread));
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		tell(loss.key(), ListenerQueue::addLoss, (observer) -> observer.lost(hold, loss, held),
				(listener) -> listener.lost(loss, held));
	}

	@Override
	public void released(Held hold, Duration held) {
		tell(hold.key(), ListenerQueue::addRoutine, (observer) -> observer.released(hold, held),
				(listener) -> listener.released(hold.key(), hold.token(), held));
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		tellOfRole(key, (observer) -> observer.releaseFailed(key, token, cause));
		tell(key, ListenerQueue::add, (listener) -> listener.releaseFailed(key, token, cause));
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		tell(key, ListenerQueue::addRoutine, (observer) -> observer.handedOff(key, scope),
				(listener) -> listener.handedOff(key, scope));
	}

	/**
	 * Its holder is asked to give a role's lock back.
	 * @param key the role's key
	 * @param token the hold's fencing token
	 */
	public void asked(LockKey key, long token) {
		tellOfRole(key, (observer) -> observer.asked(key, token));
	}

	@Override
	public void idleBegun(LockKey key) {
		observeEngine((observer) -> observer.idleBegun(key));
	}

	@Override
	public void idleEnded(LockKey key) {
		observeEngine((observer) -> observer.idleEnded(key));
	}

	@Override
	public void renewalGone(LockKey key, long token) {
		if (!key.isRole()) {
			observeEngine((observer) -> observer.renewalGone(key, token));
		}
	}

	@Override
	public void renewalSent(Duration lateness) {
		observeEngine((observer) -> observer.renewalSent(lateness));
	}

	/**
	 * Whether any observer is notified of commands.
	 * @return false if none is
	 */
	public boolean observesCommands() {
		return this.engineObservers.length > 0;
	}

	@Override
	public void commandEnded(Command command, Duration took, @Nullable Throwable failure) {
		observeEngine((observer) -> observer.commandEnded(command, took, failure));
	}

	/* Listeners hear of holds alone: nothing else was told to have failed. */
	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		Consumer<LockListener> news = selective((listener) -> listener.releaseRepeated(key, token, end));
		if (token != NO_HOLD) {
			tell(key, ListenerQueue::addRepetition, news);
		}
		else if (!key.isRole()) {
			observe(news);
		}
	}

	@Override
	public void permitsDiffer(LockKey key, int permits, int others) {
		tellOwn(key, (listener) -> listener.permitsDiffer(key, permits, others));
	}

	@Override
	public void readersFull(LockKey key, int readers) {
		tellOwn(key, (listener) -> listener.readersFull(key, readers));
	}

	private void tellOwn(LockKey key, Consumer<SelectiveListener> news) {
		tell(key, ListenerQueue::addRepetition, selective(news));
	}

	private void tellOfRole(LockKey key, Consumer<RoleObserver> news) {
		if (key.isRole()) {
			ListenerQueue.tell(news, this.roles);
		}
	}

	private void tell(LockKey key, BiConsumer<ListenerQueue, Consumer<LockListener>> adding,
			Consumer<EngineObserver> engineNews, Consumer<LockListener> news) {
		if (!key.isRole()) {
			tellAll(this.engineObservers, engineNews);
			tellAll(this.otherObservers, news);
			enqueue(adding, news);
		}
	}

	private void tell(LockKey key, BiConsumer<ListenerQueue, Consumer<LockListener>> adding,
			Consumer<LockListener> news) {
		if (!key.isRole()) {
			observe(news);
			enqueue(adding, news);
		}
	}

	private void enqueue(BiConsumer<ListenerQueue, Consumer<LockListener>> adding, Consumer<LockListener> news) {
		for (ListenerQueue queue : this.listeners) {
			adding.accept(queue, news);
		}
	}

	private void observeEngine(Consumer<EngineObserver> news) {
		tellAll(this.engineObservers, news);
	}

	private static Consumer<LockListener> selective(Consumer<SelectiveListener> news) {
		return (listener) -> {
			if (listener instanceof SelectiveListener selective) {
				news.accept(selective);
			}
		};
	}

	private void observe(Consumer<LockListener> news) {
		tellAll(this.engineObservers, news);
		tellAll(this.otherObservers, news);
	}

	private static <T> void tellAll(T[] observers, Consumer<? super T> news) {
		for (T observer : observers) {
			ListenerQueue.tell(news, observer);
		}
	}

}
