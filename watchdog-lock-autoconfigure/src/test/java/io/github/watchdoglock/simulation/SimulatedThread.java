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

import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.LockHandle;

/**
 * A thread of the simulated world. It runs while it has the turn, which it is given and
 * gives away; all of them together are one thread at a time. Used again for other work.
 */
final class SimulatedThread {

	/** Whose computer it runs on; nobody's while it is not in use. */
	Machine machine;

	/** What it does, for people who read a trace. */
	String role = "";

	/** Whether it waits for something, and will not run before that has come. */
	boolean waits;

	/** An unpark that came while it did not wait. */
	boolean permit;

	/** Tells its waits apart. */
	long wait;

	/** The flag of a thread that does not run. */
	boolean interrupted;

	/** Whether users have interrupted it since somebody looked. */
	boolean interruptedByUser;

	/** What is kept until its transaction is over; null where it is in none. */
	List<LockHandle> transaction;

	/** Whether it ends with its work. */
	boolean dies;

	private final Thread thread;

	private Runnable work;

	private volatile boolean turn;

	SimulatedThread(Carrier carrier, String name) {
		this.thread = carrier.begin(name, this::run);
	}

	Thread thread() {
		return this.thread;
	}

	void use(Machine machine, String role, Runnable work) {
		this.machine = machine;
		this.role = role;
		this.work = work;
		this.waits = false;
		this.permit = false;
		this.interrupted = false;
		this.interruptedByUser = false;
		this.transaction = null;
		this.dies = false;
	}

	private void run() {
		while (!this.dies) {
			awaitTurn();
			Scheduler scheduler = this.machine.scheduler;
			restoreFlag();
			try {
				this.work.run();
			}
			catch (Throwable ex) {
				scheduler.failed(this.role, ex);
			}
			var unused = Thread.interrupted();
			scheduler.end(this);
		}
	}

	void giveTurn() {
		this.turn = true;
		LockSupport.unpark(this.thread);
	}

	/* Its flag is kept meanwhile: parked with it, it would spin. */
	void awaitTurn() {
		while (!this.turn) {
			LockSupport.park(this);
			if (Thread.interrupted()) {
				throw new IllegalStateException("interrupted without a turn");
			}
		}
		this.turn = false;
	}

	void keepFlag() {
		this.interrupted |= Thread.interrupted();
	}

	void restoreFlag() {
		if (this.interrupted) {
			this.interrupted = false;
			this.thread.interrupt();
		}
	}

	/* Whether it runs or not. */
	boolean isInterrupted(SimulatedThread current) {
		return (this == current) ? this.thread.isInterrupted() : this.interrupted;
	}

}
