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
 * A process of this machine, as its operating system can treat it.
 *
 * @param pid its number
 */
public record ServerProcess(long pid) {

	/**
	 * SIGSTOP: it does nothing any more, and its connections look open.
	 */
	public void freeze() {
		signal("STOP");
	}

	/**
	 * SIGCONT: it goes on where it was.
	 */
	public void thaw() {
		signal("CONT");
	}

	/**
	 * Let it do nothing while something else is done.
	 * @param meanwhile what is done
	 * @throws Exception if that fails
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
	 * SIGKILL: it is gone when this returns.
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
	 * What is done while a process is frozen.
	 */
	public interface Meanwhile {

		/**
		 * Do it.
		 * @throws Exception if it fails
		 */
		void run() throws Exception;

	}

}
