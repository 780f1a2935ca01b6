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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener.Outcome;
import io.github.watchdoglock.LockListener.Scope;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.support.ErrorPoint;
import io.github.watchdoglock.time.Threads;

/**
 * All that can be told, while an error is thrown somewhere. Who tells does so again after
 * an error, as the engine's effects do.
 */
public final class ErrorScenario {

	private static final LockKey KEY = LockKey.of("orders");

	private static final List<Consumer<Events>> NEWS = List.of((events) -> events.waiting(KEY, Mode.EXCLUSIVE),
			(events) -> events.acquired(new TestHold(KEY, 1), Duration.ZERO),
			(events) -> events.notAcquired(KEY, Mode.EXCLUSIVE, Outcome.TIMEOUT, Duration.ZERO),
			(events) -> events.renewed(KEY, 1),
			(events) -> events.renewalFailed(KEY, 1, new IllegalStateException("on purpose")),
			(events) -> events.atRisk(new TestHold(KEY, 1), Duration.ZERO, new IllegalStateException("on purpose")),
			(events) -> events.recovered(new TestHold(KEY, 1)),
			(events) -> events.longHold(KEY, 1, Duration.ZERO, List.of()),
			(events) -> events.maxHoldExceeded(KEY, 1, Duration.ZERO, List.of()),
			(events) -> events.abandoned(KEY, 1, null),
			(events) -> events.lost(new TestHold(KEY, 1), new LockLoss(KEY, 1, LockLoss.Reason.GONE), Duration.ZERO),
			(events) -> events.released(new TestHold(KEY, 1), Duration.ZERO),
			(events) -> events.releaseFailed(KEY, 1, new IllegalStateException("on purpose")),
			(events) -> events.handedOff(KEY, Scope.LOCAL),
			(events) -> events.releaseRepeated(KEY, 1, SelectiveListener.End.DONE));

	private static final List<Consumer<Events>> ENGINE_NEWS = List.of((events) -> events.idleBegun(KEY),
			(events) -> events.idleEnded(KEY), (events) -> events.renewalGone(KEY, 1),
			(events) -> events.renewalSent(Duration.ZERO), (events) -> events.renewalAnswered(Duration.ZERO),
			(events) -> events.releaseRepeated(KEY, SelectiveListener.NO_HOLD, SelectiveListener.End.DONE));

	private final List<String> heard = new ArrayList<>();

	private final ListenersThreads threads = new ListenersThreads();

	private final Events events = new Events(this.threads, writing("first"), writing("second"));

	private int told;

	private ErrorScenario() {
		this.events.add(writing("third"));
		this.events.add(writing("fourth"));
	}

	/* Named by reflection, as the next one: this class is another one there. */
	public static long points() {
		ErrorScenario scenario = new ErrorScenario();
		ErrorPoint.arm(0);
		scenario.play();
		long points = ErrorPoint.passed();
		scenario.check(0);
		return points;
	}

	public static void run(long point) {
		ErrorScenario scenario = new ErrorScenario();
		ErrorPoint.arm(point);
		scenario.play();
		ErrorPoint.arm(0);
		scenario.check(1);
	}

	private void play() {
		NEWS.forEach((news) -> tell(news, 4));
		ENGINE_NEWS.forEach((news) -> tell(news, 2));
	}

	private void tell(Consumer<Events> news, int hearing) {
		this.told += hearing;
		try {
			news.accept(this.events);
		}
		catch (Error ex) {
			news.accept(this.events);
		}
	}

	private void check(int missed) {
		this.threads.run();
		if (this.heard.size() > this.told || this.heard.size() < this.told - missed) {
			throw new AssertionError(this.heard.size() + " of " + this.told + " were heard with an error thrown at "
					+ ErrorPoint.place() + ": " + this.heard);
		}
	}

	private EngineObserver writing(String name) {
		return (EngineObserver) Proxy.newProxyInstance(EngineObserver.class.getClassLoader(),
				new Class<?>[] { EngineObserver.class }, (proxy, method, arguments) -> {
					if (method.getReturnType() == boolean.class) {
						return true;
					}
					this.heard.add(name + " " + method.getName());
					return null;
				});
	}

	/**
	 * Those of listeners, which run at the end.
	 */
	private static final class ListenersThreads implements Threads {

		private final Queue<Runnable> started = new ArrayDeque<>();

		private long now;

		private void run() {
			while (!this.started.isEmpty()) {
				this.started.remove().run();
			}
		}

		@Override
		public Thread start(String name, Runnable work) {
			this.started.add(work);
			return new Thread(work);
		}

		@Override
		public void park(Object blocker, long nanos) {
			this.now += nanos;
		}

		@Override
		public long elapsed() {
			return this.now;
		}

		@Override
		public void unpark(Thread thread) {
			// Nobody is parked.
		}

		@Override
		public void proceed(Runnable effects) {
			effects.run();
		}

		@Override
		public void interrupt(Thread thread) {
			Threads.system().interrupt(thread);
		}

		@Override
		public boolean isInterrupted(Thread thread) {
			return Threads.system().isInterrupted(thread);
		}

		@Override
		public boolean waits(Thread thread) {
			return Threads.system().waits(thread);
		}

		@Override
		public double random() {
			return 0.5;
		}

	}

}
