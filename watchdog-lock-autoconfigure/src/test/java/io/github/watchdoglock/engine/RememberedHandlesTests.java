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

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the engine remembers of a thread's handles and views, and when it forgets them.
 */
@SuppressWarnings({ "LockNotBeforeTry", "FutureReturnValueIgnored" })
class RememberedHandlesTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	/* More than are remembered before those that are closed are looked for. */
	private static final int MANY = 17;

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final Core core = new Core(EngineSettings.of("test"), "one", Threads.system(), this.ticker,
			this.ticker.wallClock, this.store, new Events(), this.pool::add);

	private final LockEngine engine = new LockEngine(this.core, this.store, this.store);

	private @Nullable Handle any;

	@AfterEach
	void check() {
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void whatIsClosedIsNotLookedAtAgain() {
		for (Closing closing : Closing.values()) {
			Looked handle = looked();
			this.core.threads.remember(handle);
			closing.close(handle);
			handle.looks = 0;
			assertThat(this.core.threads.list()).isEmpty();
			assertThat(handle.looks).as(closing.name()).isZero();
		}
	}

	@Test
	void theOthersAreNotLookedAtWhenOneIsAdded() {
		ThreadHandles handles = new ThreadHandles();
		Looked first = looked();
		handles.remember(first);
		for (int i = 2; i < MANY; i++) {
			handles.remember(looked());
		}
		assertThat(first.looks).isZero();
		assertThat(handles.list()).hasSize(MANY - 1);
	}

	@Test
	void aViewThatUnlocksOnceStillDropsTheRestOfWhatItLost() {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		view.lock();
		view.unlock();
		this.engine.forceRelease(KEY);
		view.lock();
		assertThat(this.engine.current()).singleElement().matches(LockHandle::isHeld);
		view.unlock();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void whatAViewLostIsDroppedThoughItsThreadHasOtherLocks() throws Exception {
		LockHandle other = this.engine.acquire(LockRequest.of("other"));
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		this.engine.forceRelease(KEY);
		view.lock();
		assertThat(this.engine.current()).hasSize(2).allMatch(LockHandle::isHeld);
		view.unlock();
		other.close();
	}

	@Test
	void viewsOfOtherKeysAreNoReasonToDropWhatAHandleLost() throws Exception {
		LockHandle handle = this.engine.acquire(ORDERS);
		Lock other = this.engine.asLock(LockRequest.of("other"));
		other.lock();
		this.engine.forceRelease(KEY);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.asLock(ORDERS).lock());
		assertThat(this.engine.current()).hasSize(2).first().isSameAs(handle);
		other.unlock();
		handle.close();
	}

	@Test
	void whatIsKeptOutsideOfTheFirstHandleComesBeforeIt() {
		Looked inner = looked();
		Looked outer = looked();
		Looked middle = looked();
		ThreadHandles handles = new ThreadHandles();
		handles.remember(inner);
		handles.rememberOutside(inner, outer);
		handles.rememberOutside(inner, middle);
		assertThat(handles.list()).containsExactly(outer, middle, inner);
		handles.forget(inner);
		Looked last = looked();
		handles.rememberOutside(inner, last);
		assertThat(handles.list()).containsExactly(outer, middle, last);
	}

	@Test
	void anInterruptThatIsAboutToBeSentEndsTheNextWaitOfAView() throws Exception {
		Lock view = this.engine.asLock(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		view.lock();
		loseOnAnotherThread();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> view.tryLock(1, TimeUnit.SECONDS));
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue();
		view.unlock();
	}

	@Test
	void aLossThatInterruptsNobodyIsDroppedByTheNextWaitOfAView() throws Exception {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		loseOnAnotherThread();
		assertThat(view.tryLock(1, TimeUnit.SECONDS)).isTrue();
		view.unlock();
		assertThat(this.engine.find(KEY)).isEmpty();
	}

	@Test
	void anInterruptOfOneOfTheLostViewsIsEnough() throws Exception {
		Lock interrupting = this.engine.asLock(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		interrupting.lock();
		this.engine.asLock(ORDERS).lock();
		loseOnAnotherThread();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(interrupting::lockInterruptibly);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		interrupting.lockInterruptibly();
		interrupting.unlock();
	}

	@Test
	void anInterruptOfSomebodyElseIsThrownBeforeWhatAViewLostIsDropped() throws Exception {
		Lock view = this.engine.asLock(ORDERS);
		view.lock();
		loseOnAnotherThread();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(view::lockInterruptibly)
			.withMessageContaining("orders");
		assertThat(this.engine.localLocks().current(KEY)).get().matches((handle) -> handle.loss().isPresent());
		view.unlock();
	}

	@Test
	void anInterruptIsNotSentToAThreadThatHasDetachedTheHandle() throws Exception {
		LockHandle handle = this.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		loseOnAnotherThread();
		handle.detach();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		handle.close();
	}

	@Test
	void anInterruptIsSentThoughAnInnerHandleWasClosedMeanwhile() throws Exception {
		LockHandle outer = this.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		LockHandle inner = this.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		loseOnAnotherThread();
		inner.close();
		this.pool.forEach(Runnable::run);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		outer.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void anInterruptThatWasSentStaysWhereAnotherThreadClosesTheHandle() throws Exception {
		LockHandle handle = this.engine.acquire(ORDERS.withOnLoss(OnLoss.INTERRUPT));
		loseOnAnotherThread();
		this.pool.forEach(Runnable::run);
		Thread other = new Thread(handle::close);
		other.start();
		while (other.isAlive()) {
			// Joining it would take the interrupt.
			Thread.onSpinWait();
		}
		assertThat(Thread.interrupted()).isTrue();
	}

	/* The thread itself would be interrupted at once. */
	private void loseOnAnotherThread() throws Exception {
		assertThat(TestEngine.onThreadThatEnds(() -> this.engine.forceRelease(KEY))).isTrue();
	}

	private Looked looked() {
		return looked(KEY);
	}

	/* One more of a hold that stays. */
	private Looked looked(LockKey key) {
		Handle any = this.any;
		if (any == null) {
			CompletableFuture<LockHandle> asked = this.engine.acquireAsync(LockRequest.of("any"));
			this.pool.remove().run();
			any = (Handle) asked.join();
			this.any = any;
		}
		Hold hold = any.hold();
		Looked handle = new Looked(hold, key);
		hold.reenter(OnLoss.REPORT);
		handle.looks = 0;
		return handle;
	}

	private enum Closing {

		CLOSE {
			@Override
			void close(Handle handle) {
				handle.close();
			}
		},

		CLOSE_ASYNC {
			@Override
			void close(Handle handle) {
				handle.closeAsync();
			}
		},

		DETACH {
			@Override
			void close(Handle handle) {
				handle.detach();
			}
		};

		abstract void close(Handle handle);

	}

	/**
	 * Counts how often it is looked at, and fails so many times.
	 */
	private static final class Looked extends Handle {

		private final LockKey key;

		private int looks;

		private int failures;

		private Looked(Hold hold, LockKey key) {
			super(hold, false, OnLoss.REPORT);
			this.key = key;
		}

		@Override
		boolean isAttached() {
			this.looks++;
			if (this.failures > 0) {
				this.failures--;
				throw new LinkageError("on purpose");
			}
			return super.isAttached();
		}

		@Override
		public LockKey key() {
			return this.key;
		}

	}

}
