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
 * Where callers come from.
 */
enum LoadThreads {

	/** A thread of the system for each. */
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

	/** Virtual ones, which there are from Java 21 on. */
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
	 * Who has nothing to wait for goes on as long as it likes if it is virtual, and the
	 * others never begin.
	 */
	abstract void letOthersIn();

}
