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

import java.util.ArrayDeque;
import java.util.Queue;

import io.github.watchdoglock.time.Pool;

/**
 * A pool of simulated threads that end when no task waits.
 */
final class SimulatedPool implements Pool {

	private static final int USUAL = 2;

	private final Machine machine;

	private final String name;

	private final Runnable busy;

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private int threads;

	SimulatedPool(Machine machine, String name, Runnable busy) {
		this.machine = machine;
		this.name = name;
		this.busy = busy;
	}

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		if (this.threads < USUAL) {
			start();
		}
		if (!this.tasks.isEmpty()) {
			try {
				this.busy.run();
			}
			catch (VirtualMachineError | LinkageError ex) {
				// As in the pools of the JVM.
				this.busy.run();
			}
		}
	}

	private void start() {
		this.threads++;
		try {
			this.machine.start(this.name, this::run);
		}
		catch (OutOfMemoryError ex) {
			this.threads--;
		}
	}

	private void run() {
		try {
			Runnable task = this.tasks.poll();
			while (task != null) {
				Instance.persist(task);
				var unused = Thread.interrupted();
				task = this.tasks.poll();
			}
		}
		finally {
			this.threads--;
		}
	}

	@Override
	public void check() {
		if (!this.tasks.isEmpty()) {
			start();
			this.busy.run();
		}
	}

	@Override
	public void close() {
		// Its threads end by themselves.
	}

}
