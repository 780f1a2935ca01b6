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
import java.util.function.BiConsumer;

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

	private final BiConsumer<TermPart, @Nullable Throwable> ended;

	private final PartThread thread;

	private volatile boolean revoked;

	/**
	 * Create it.
	 * @param term the term
	 * @param work the work
	 * @param around where the thread comes from
	 * @param ended receives this, and what the work has thrown, if anything
	 */
	LeadingThread(LeaderTerm term, LeaderWork work, Surroundings around,
			BiConsumer<TermPart, @Nullable Throwable> ended) {
		this.term = term;
		this.work = work;
		this.around = around;
		this.ended = ended;
		this.thread = new PartThread(around.threads(), null);
	}

	/* If no thread can be started, the work has failed. */
	void start() {
		try {
			this.around.threads().start("watchdog-lock-leader-role-" + this.term.role(), this);
		}
		catch (Throwable ex) {
			this.ended.accept(this, ex);
		}
	}

	@Override
	public void run() {
		Throwable failure = null;
		try {
			this.thread.enter();
			// Nothing is begun in a term that is over.
			if (!this.revoked) {
				Thread.currentThread().setContextClassLoader(this.around.classes());
				this.work.lead(this.term);
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.thread.leave();
		// The work has ended, so an interrupt of it must not reach the code below.
		var unused = Thread.interrupted();
		this.ended.accept(this, failure);
	}

	@Override
	public void revoke(LockLoss.Reason reason) {
		this.revoked = true;
		this.thread.interrupt();
	}

	@Override
	public boolean isInterrupted() {
		return true;
	}

	@Override
	public List<String> stack() {
		return this.thread.stack();
	}

	@Override
	public String toString() {
		return "its work " + this.work;
	}

}
