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

package io.github.watchdoglock.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.engine.SimulatedEngine;
import io.github.watchdoglock.engine.SimulatedEngine.SeenHold;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * A caller of an instance: on a thread of its own, or with a future.
 */
final class Caller implements Runnable {

	final Wish wish;

	private final World world;

	final Instance instance;

	/** Its granted handles; reachable, so that none is considered abandoned by chance. */
	final List<LockHandle> handles = new ArrayList<>();

	private boolean interruptible;

	private boolean heardInterrupt;

	/**
	 * Whether its engine was stopped, and how often the engine had been opened, before
	 * the call.
	 */
	private boolean shut;

	private int openings;

	/** The caller's thread, if it has one. */
	SimulatedThread thread;

	CompletableFuture<LockHandle> future;

	boolean over;

	/** Whether the handle from its future is closed. */
	private boolean closed;

	Caller(World world, Instance instance, Wish wish) {
		this.world = world;
		this.instance = instance;
		this.wish = wish;
	}

	boolean isAsynchronous() {
		return this.wish.style() == Wish.Style.ASYNC || this.wish.style() == Wish.Style.ASYNC_THEN_ASYNC;
	}

	boolean isOver() {
		return this.over && (this.future == null || this.future.isDone());
	}

	/* Whether the caller has this hold, or may be granted it at any moment. */
	boolean owns(SeenHold seen) {
		if (isAsynchronous()) {
			return seen.thread() == null && (asksFor(seen.key()) || (!this.closed && has(seen.hold())));
		}
		boolean mine = (seen.thread() != null) ? seen.thread() == this.thread.thread() : has(seen.hold());
		return mine && asksFor(seen.key());
	}

	/* Whether the caller will never have a hold again. */
	boolean ownsNothing() {
		return isOver() && (this.closed || this.future == null || this.future.isCompletedExceptionally());
	}

	private boolean has(Object hold) {
		return this.handles.stream().anyMatch((handle) -> SimulatedEngine.hold(handle) == hold);
	}

	boolean asksFor(LockKey key) {
		boolean elsewhere = this.wish.within() == Wish.Within.REENTER_ELSEWHERE;
		return !isOver()
				&& (this.wish.keys().contains(key) || (elsewhere && key.equals(Collections.max(this.world.keys))));
	}

	boolean isOfTheDead() {
		return this.instance.dead;
	}

	@Override
	public void run() {
		this.interruptible = this.wish.onLoss() == OnLoss.INTERRUPT;
		try {
			ask();
		}
		catch (LockException ex) {
			got(ex);
			if (ex instanceof LockInterruptedException) {
				var unused = Thread.interrupted();
				interrupted(ex);
			}
		}
		catch (InterruptedException ex) {
			interrupted(ex);
		}
		catch (VirtualMachineError | LinkageError ex) {
			// The error may have replaced the expected exception.
			this.heardInterrupt = true;
			this.world.trace(this, "got an error");
		}
		finally {
			end();
		}
	}

	private void got(Throwable failure) {
		this.world.trace(this, "got " + failure);
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		boolean moved = this.world.faults.moved
				&& String.valueOf(cause.getMessage()).startsWith("Redis did not confirm");
		if (cause instanceof LockStoreException && !moved && !this.world.isTroubled()) {
			this.world.scheduler.violated("the store has failed without a reason: " + cause);
		}
	}

	/* A call to a stopped engine must not be granted a lock. */
	private void has() {
		if (this.shut && this.openings == this.instance.openings) {
			this.world.scheduler.violated(this + " was let in by an engine that was stopped before");
		}
	}

	private void interrupted(Exception cause) {
		this.heardInterrupt = true;
		this.world.trace(this, "was interrupted");
		if (this.thread != null && !this.thread.interruptedByUser && !this.interruptible) {
			this.world.scheduler.violated("a caller was interrupted by nobody: " + cause);
		}
	}

	private void end() {
		this.over = true;
		this.world.trace(this, "is done");
		if (this.thread == null || this.thread.dies) {
			return;
		}
		boolean flag = Thread.interrupted();
		if (flag && !this.thread.interruptedByUser) {
			this.world.scheduler.violated("an interrupt by a loss reached what the thread does next: " + this);
		}
		if (!flag && this.thread.interruptedByUser && !this.heardInterrupt && !this.interruptible) {
			this.world.scheduler.violated("nobody has heard of the interrupt of " + this);
		}
	}

	private void ask() throws InterruptedException {
		LockEngine engine = this.instance.engine();
		LockRequest request = this.wish.request(this.wish.keys().get(0));
		this.shut = this.instance.shut;
		this.openings = this.instance.openings;
		switch (this.wish.style()) {
			case ACQUIRE -> work(engine.acquire(request));
			case TRY -> {
				Optional<LockHandle> handle = engine.tryAcquire(request);
				if (handle.isPresent()) {
					work(handle.get());
				}
			}
			case EXECUTE -> engine.execute(request, (handle) -> {
				this.handles.add(handle);
				during(handle);
				return true;
			});
			case VIEW -> view(engine.asLock(request));
			case SEVERAL -> {
				try (AutoCloseable locks = engine
					.acquireAll(this.wish.keys().stream().map(this.wish::request).toList())) {
					has();
					this.instance.machine.work(millis(this.wish.work()));
				}
				catch (InterruptedException | RuntimeException ex) {
					throw ex;
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			}
			case TRANSACTION -> transact(engine, request.withReleaseAfterTransaction());
			case ASYNC, ASYNC_THEN_ASYNC -> askAsynchronously(engine, request);
		}
	}

	/* Locks that the caller closes are kept until its transaction has ended. */
	private void transact(LockEngine engine, LockRequest request) throws InterruptedException {
		List<LockHandle> kept = new ArrayList<>();
		this.thread.transaction = kept;
		try {
			LockHandle handle = engine.acquire(request);
			work(handle);
			this.instance.machine.work(millis(this.wish.work()) / 4);
			commit(engine, handle);
		}
		finally {
			this.thread.transaction = null;
			kept.forEach(Caller::close);
		}
	}

	/* As a transaction manager does before it commits. */
	private void commit(LockEngine engine, LockHandle handle) {
		long start = this.world.scheduler.now;
		long doubted = this.instance.link.doubted;
		engine.ensureCommitAllowed((hold) -> false, List.of(), () -> {
		});
		if (this.wish.onLoss() != OnLoss.REPORT) {
			this.world.tally.engine("commit");
			this.world.committed(this.instance, handle, start, doubted);
		}
	}

	private void work(LockHandle handle) {
		this.handles.add(handle);
		try {
			during(handle);
		}
		finally {
			if (this.thread == null || !this.thread.dies) {
				close(handle);
				this.world.expectEnd(this.instance, handle);
			}
		}
	}

	/* As documented for users; a call that failed before it had begun is repeated. */
	private static void close(LockHandle handle) {
		Instance.persist(handle::close);
	}

	private void view(Lock lock) throws InterruptedException {
		boolean locked = true;
		if (this.wish.waitTime() >= 0) {
			locked = lock.tryLock(this.wish.waitTime(), TimeUnit.MILLISECONDS);
		}
		else {
			lock.lock();
		}
		if (locked) {
			has();
			this.world.trace(this, "has it");
			this.instance.machine.work(millis(this.wish.work()));
			Instance.persist(() -> {
				try {
					lock.unlock();
				}
				catch (IllegalMonitorStateException ex) {
					// The lock was unlocked before the error.
				}
			});
		}
	}

	private void during(LockHandle handle) {
		has();
		this.world.trace(this, "has token " + handle.fencingToken());
		long half = millis(this.wish.work()) / 2;
		this.instance.machine.work(half);
		meanwhile(handle);
		if (this.thread == null || !this.thread.dies) {
			this.instance.machine.work(half);
			ErrorPoint.without(() -> this.world.look(this.instance, handle));
		}
	}

	private void meanwhile(LockHandle handle) {
		try {
			switch (this.wish.within()) {
				case REENTER -> reenter(this.wish.keys().get(0));
				// In the order in which several locks are acquired; otherwise callers
				// would deadlock.
				case REENTER_ELSEWHERE -> reenter(Collections.max(this.world.keys));
				case STRENGTHEN -> {
					var unused = this.handles.get(0).extend(this.wish.other());
				}
				case DETACH -> handle.detach();
				case WATCH -> this.world.watch(this, handle);
				case DIE -> {
					if (this.wish.style() == Wish.Style.ACQUIRE && this.thread != null) {
						this.world.tally.fault("holder died");
						this.thread.dies = true;
					}
				}
				case NOTHING -> {
					// The caller works.
				}
			}
		}
		catch (LockException ex) {
			got(ex);
		}
		catch (VirtualMachineError | LinkageError ex) {
			// The error may have replaced the expected exception.
			this.heardInterrupt = true;
			this.world.trace(this, "meanwhile got " + ex);
		}
		catch (InterruptedException ex) {
			this.heardInterrupt = true;
			Thread.currentThread().interrupt();
		}
	}

	private void reenter(LockKey key) throws InterruptedException {
		LockHandle again = this.instance.engine().acquire(this.wish.again(key));
		this.handles.add(again);
		this.instance.machine.work(millis(this.wish.work()) / 4);
		close(again);
	}

	private void askAsynchronously(LockEngine engine, LockRequest request) {
		CompletableFuture<LockHandle> future = engine.acquireAsync(request);
		this.future = future;
		var unused = future.whenComplete((handle, ex) -> {
			if (handle == null) {
				got(ex);
				return;
			}
			has();
			this.handles.add(handle);
			this.world.scheduler.in(millis(this.wish.work()), this.instance.machine, () -> closeAsync(handle));
			this.world.trace(this, "has token " + handle.fencingToken());
			if (this.wish.style() == Wish.Style.ASYNC_THEN_ASYNC) {
				this.world.waitFor(this.instance, request);
			}
		});
	}

	private void closeAsync(LockHandle handle) {
		Instance.persist(() -> this.world.close(this.instance, handle));
		this.closed = true;
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Override
	public String toString() {
		return this.instance.machine.name + " " + this.wish;
	}

}
