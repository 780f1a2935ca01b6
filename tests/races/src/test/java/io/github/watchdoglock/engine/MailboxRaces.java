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

import io.github.watchdoglock.time.Threads;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two threads that use a mailbox at the same moment.
 */
public final class MailboxRaces {

	private MailboxRaces() {
	}

	/**
	 * Two threads enqueue tasks that change a plain field.
	 */
	@JCStressTest
	@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Both tasks have run, one at a time.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A task was lost, ran twice, or ran while another one did.")
	@State
	public static class TasksRunOneAtATime {

		private final PlainOwner owner = new PlainOwner();

		private int performed;

		private boolean running;

		private int overlaps;

		private void enqueue() {
			this.owner.mailbox.execute(new PlainTask(() -> {
				if (this.running) {
					this.overlaps++;
				}
				this.running = true;
				int before = this.performed;
				UnevenThreads.varySpeed();
				this.performed = before + 1;
				this.running = false;
			}));
		}

		@Actor
		public void one() {
			enqueue();
		}

		@Actor
		public void other() {
			enqueue();
		}

		@Arbiter
		public void count(II_Result result) {
			result.r1 = this.performed;
			result.r2 = this.overlaps;
		}

	}

	/**
	 * Two threads enqueue two tasks each: 1 and 2, 3 and 4.
	 */
	@JCStressTest
	@Outcome(id = { "1234", "1324", "1342", "3124", "3142", "3412" }, expect = Expect.ACCEPTABLE,
			desc = "The tasks of each thread have run in the order in which it enqueued them.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A task was lost, or ran before an earlier one of its thread.")
	@State
	public static class TasksOfAThreadRunInItsOrder {

		private final PlainOwner owner = new PlainOwner();

		private int order;

		private void enqueue(int task) {
			this.owner.mailbox.execute(new PlainTask(() -> this.order = this.order * 10 + task));
		}

		@Actor
		public void one() {
			enqueue(1);
			enqueue(2);
		}

		@Actor
		public void other() {
			enqueue(3);
			enqueue(4);
		}

		@Arbiter
		public void order(I_Result result) {
			result.r1 = this.order;
		}

	}

	/**
	 * One thread pokes a mailbox while another thread has run its last task.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The owner has looked after the poke.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The poke was lost.")
	@State
	public static class PokeMeetsTheEndOfTheTasks {

		private final PlainOwner owner = new PlainOwner();

		private int performed;

		@Actor
		public void execute() {
			this.owner.mailbox.execute(new PlainTask(() -> this.performed++));
		}

		@Actor
		public void poke() {
			this.owner.due = 1;
			this.owner.mailbox.requestCheck();
		}

		@Arbiter
		public void look(II_Result result) {
			result.r1 = this.performed;
			result.r2 = this.owner.seen;
		}

	}

	/**
	 * Two threads run a task that decides the outcome of a waiter.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both waiters have received their outcome.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A waiter was not woken.")
	@State
	public static class WaitersAreWoken {

		private static final Instance INSTANCE = new Instance();

		private final PlainOwner owner = new PlainOwner();

		private final Waiter first = INSTANCE.caller(null, null);

		private final Waiter second = INSTANCE.caller(null, null);

		private void decide(Waiter waiter) {
			this.owner.mailbox.execute(new PlainTask(() -> {
				this.owner.mailbox.wakeAfterwards(waiter);
				waiter.decided = Waiter.Outcome.Refused.UNKNOWN;
			}));
		}

		@Actor
		public void one() {
			decide(this.first);
		}

		@Actor
		public void other() {
			decide(this.second);
		}

		@Arbiter
		public void look(ZZ_Result result) {
			result.r1 = this.first.outcome != null;
			result.r2 = this.second.outcome != null;
		}

	}

	private static final class PlainTask extends Mailbox.Task {

		private final Runnable work;

		private PlainTask(Runnable work) {
			this.work = work;
		}

		@Override
		void run() {
			this.work.run();
		}

	}

	private static final class PlainOwner implements Mailbox.Owner {

		private static final Threads THREADS = new UnevenThreads();

		private final Mailbox mailbox = new Mailbox(this);

		private int due;

		private int seen;

		@Override
		public Threads threads() {
			return THREADS;
		}

		@Override
		public void failed(Mailbox.Task task, Throwable cause) {
			throw new IllegalStateException(cause);
		}

		@Override
		public void settle() {
		}

		@Override
		public void processDue() {
			this.seen = this.due;
		}

		@Override
		public void onIdle() {
			UnevenThreads.varySpeed();
		}

		@Override
		public void continueElsewhere(Runnable rest) {
			rest.run();
		}

		@Override
		public void callWatchdog() {
			throw new IllegalStateException("Nothing fails");
		}

	}

}
