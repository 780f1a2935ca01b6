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

/**
 * A violation of a rule in a simulated world.
 */
final class Violation extends AssertionError {

	private static final long serialVersionUID = 1;

	Violation(String what) {
		super(what);
	}

	Violation(String what, Throwable cause) {
		super(what, cause);
	}

	/*
	 * Whether a failure is the error that the world has thrown, or a consequence of it.
	 */
	static boolean isMadeUp(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof VirtualMachineError || cause instanceof LinkageError) {
				return true;
			}
		}
		return false;
	}

}
