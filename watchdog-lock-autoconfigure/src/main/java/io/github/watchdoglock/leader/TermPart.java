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

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work in a term, or a listener that is notified of its end. The lock of the
 * term is not released before all its parts have ended. Thread-safe.
 */
final class TermPart {

	private final String name;

	private final @Nullable OnLoss onLoss;

	private final ElectionContext context;

	private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();

	private final ReentrantLock lock = new ReentrantLock();

	/** The thread that executes this part, while it does so. */
	private volatile @Nullable Thread thread;

	/* Guarded by the lock. */
	private boolean interrupted;

	/**
	 * Create a part.
	 * @param name the name of the part, for the log
	 * @param onLoss what happens to it at the end of the term; null for a listener
	 * @param context starts and interrupts threads
	 */
	TermPart(String name, @Nullable OnLoss onLoss, ElectionContext context) {
		this.name = name;
		this.onLoss = onLoss;
		this.context = context;
	}

	boolean isListener() {
		return this.onLoss == null;
	}

	boolean isWorkOf(Thread thread) {
		return !isListener() && this.thread == thread;
	}

	/* Completed when the term has ended. */
	CompletableFuture<LockLoss> lost() {
		return this.lost;
	}

	/* The calling thread begins this part. */
	void enter() {
		this.thread = Thread.currentThread();
	}

	/*
	 * The thread of this part does something else now; return whether it is the calling
	 * one.
	 */
	boolean leave() {
		this.lock.lock();
		try {
			boolean own = this.thread == Thread.currentThread();
			if (own && this.interrupted) {
				var unused = Thread.interrupted();
			}
			this.thread = null;
			return own;
		}
		finally {
			this.lock.unlock();
		}
	}

	/*
	 * The term has ended. An interrupt may block, and so may code that depends on the
	 * loss.
	 */
	void revoke(LockLoss loss) {
		boolean interrupts = this.onLoss == OnLoss.INTERRUPT;
		Executor executor = (interrupts || this.lost.getNumberOfDependents() > 0)
				? (task) -> this.context.start(Candidacy.THREAD, task) : Runnable::run;
		executor.execute(() -> {
			if (interrupts) {
				interrupt();
			}
			this.lost.complete(loss);
		});
	}

	/*
	 * A thread that other code has interrupted is not interrupted again: that code
	 * expects the flag to stay set.
	 */
	private void interrupt() {
		this.lock.lock();
		try {
			Thread thread = this.thread;
			if (thread != null && !this.context.threads().isInterrupted(thread)) {
				this.interrupted = true;
				this.context.threads().interrupt(thread);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/* A description for people: the name, and the stack of the thread. */
	@Override
	public String toString() {
		Thread thread = this.thread;
		if (thread == null) {
			return this.name;
		}
		return Arrays.stream(thread.getStackTrace())
			.map((frame) -> System.lineSeparator() + "    at " + frame)
			.collect(Collectors.joining("", this.name + " on thread '" + thread.getName() + "'", ""));
	}

}
