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

package io.github.watchdoglock.benchmarks.load;

/**
 * The kinds of threads that callers use.
 */
enum LoadThreads {

	/** A platform thread for each caller. */
	PLATFORM {

		@Override
		Thread start(Runnable work) {
			Thread thread = new Thread(work);
			thread.setDaemon(true);
			thread.start();
			return thread;
		}

		@Override
		void letOthersIn() {
		}

	},

	/** Virtual threads, which exist from Java 21 on. */
	VIRTUAL {

		@Override
		Thread start(Runnable work) {
			try {
				return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException("There are no virtual threads in Java " + Runtime.version(), ex);
			}
		}

		@Override
		@SuppressWarnings("ThreadPriorityCheck")
		void letOthersIn() {
			Thread.yield();
		}

	};

	abstract Thread start(Runnable work);

	/*
	 * A virtual thread that never has to wait would run for as long as it likes, and the
	 * others would never begin.
	 */
	abstract void letOthersIn();

}
