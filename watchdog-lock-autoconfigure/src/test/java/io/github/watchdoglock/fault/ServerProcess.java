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

package io.github.watchdoglock.fault;

import java.util.concurrent.TimeUnit;

import org.springframework.util.function.ThrowingSupplier;

/**
 * A process of this machine that can receive signals.
 *
 * @param pid its process id
 */
public record ServerProcess(long pid) {

	/**
	 * Send SIGSTOP: the process is paused, and its connections look open.
	 */
	public void freeze() {
		signal("STOP");
	}

	/**
	 * Send SIGCONT: the process continues where it was paused.
	 */
	public void thaw() {
		signal("CONT");
	}

	/**
	 * Pause the process while an action runs.
	 * @param meanwhile the action
	 * @throws Exception if the action fails
	 */
	public void freezeWhile(Meanwhile meanwhile) throws Exception {
		freeze();
		try {
			meanwhile.run();
		}
		finally {
			thaw();
		}
	}

	/**
	 * Send SIGKILL: the process has ended when this returns.
	 */
	public void kill() {
		signal("KILL");
		ProcessHandle.of(this.pid).ifPresent((process) -> process.onExit().orTimeout(10, TimeUnit.SECONDS).join());
	}

	private void signal(String name) {
		ProcessBuilder kill = new ProcessBuilder("kill", "-" + name, Long.toString(this.pid)).inheritIO();
		Process process = ThrowingSupplier.of(kill::start).get();
		if (process.onExit().orTimeout(10, TimeUnit.SECONDS).join().exitValue() != 0) {
			throw new IllegalStateException("no SIG" + name + " to process " + this.pid);
		}
	}

	/**
	 * An action that runs while a process is frozen.
	 */
	public interface Meanwhile {

		/**
		 * Run the action.
		 * @throws Exception if it fails
		 */
		void run() throws Exception;

	}

}
