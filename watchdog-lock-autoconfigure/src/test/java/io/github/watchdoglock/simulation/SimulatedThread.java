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
 * A thread of the simulated world. It runs while it has the turn, and only one thread has
 * the turn at a time. It is reused for other work.
 */
final class SimulatedThread {

	/** The machine that it runs on; null while it is not in use. */
	Machine machine;

	/** Its work, for readers of a trace. */
	String role = "";

	/** Whether it waits and cannot continue before the awaited event. */
	boolean waits;

	/** An unpark that arrived while it did not wait. */
	boolean permit;

	/** The number of its current wait. */
	long wait;

	/** The interrupt flag while it does not run. */
	boolean interrupted;

	/** Whether users have interrupted it since the last look. */
	boolean interruptedByUser;

	/**
	 * Handles that are kept until its transaction has ended; null without a transaction.
	 */
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

	/*
	 * The interrupt flag is kept elsewhere meanwhile: with the flag, parking would spin.
	 */
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

	/* Works whether the thread runs or not. */
	boolean isInterrupted(SimulatedThread current) {
		return (this == current) ? this.thread.isInterrupted() : this.interrupted;
	}

}
