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

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * Work on a thread of its own, for a term.
 */
final class LeadingThread implements TermPart, Runnable {

	private final LeaderTerm term;

	private final LeaderWork work;

	private final Surroundings around;

	private final End end;

	private final ReentrantLock lock = new ReentrantLock();

	/* The rest is guarded by the lock. */
	private @Nullable Thread thread;

	private boolean revoked;

	LeadingThread(LeaderTerm term, LeaderWork work, Surroundings around, End end) {
		this.term = term;
		this.work = work;
		this.around = around;
		this.end = end;
	}

	/* One that can't be had has failed. */
	void start() {
		try {
			this.around.threads().start("watchdog-lock-leader-role-" + this.term.role(), this);
		}
		catch (Throwable ex) {
			this.end.ended(this, ex);
		}
	}

	@Override
	public void run() {
		Throwable failure = null;
		try {
			if (begin()) {
				Thread.currentThread().setContextClassLoader(this.around.classes());
				this.work.lead(this.term);
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		leave();
		this.end.ended(this, failure);
	}

	/* Nothing is begun in a term that is over. */
	private boolean begin() {
		this.lock.lock();
		try {
			this.thread = Thread.currentThread();
			return !this.revoked;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* What comes later is not for this thread, which does not work any more. */
	private void leave() {
		this.lock.lock();
		try {
			this.thread = null;
		}
		finally {
			this.lock.unlock();
		}
		var unused = Thread.interrupted();
	}

	@Override
	public void revoke(LockLoss.Reason reason) {
		this.lock.lock();
		try {
			this.revoked = true;
			if (this.thread != null) {
				this.around.threads().interrupt(this.thread);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isInterrupted() {
		return true;
	}

	@Override
	public List<String> stack() {
		this.lock.lock();
		try {
			return Stacks.of(this.thread);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return "its work " + this.work;
	}

	/**
	 * Hears that work has ended.
	 */
	@FunctionalInterface
	interface End {

		void ended(LeadingThread part, @Nullable Throwable failure);

	}

}
