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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The thread that executes a part of a term, as long as it does. It is interrupted for
 * that part only. Thread-safe.
 */
final class PartThread {

	private final Threads threads;

	private final ReentrantLock lock = new ReentrantLock();

	/** Written under the lock. */
	private volatile @Nullable Thread thread;

	/* Guarded by the lock. */
	private boolean interrupted;

	/**
	 * Create it.
	 * @param threads interrupts threads
	 * @param thread the thread; null if there is none, or none yet
	 */
	PartThread(Threads threads, @Nullable Thread thread) {
		this.threads = threads;
		this.thread = thread;
	}

	/* The calling thread begins. */
	void enter() {
		this.lock.lock();
		try {
			this.thread = Thread.currentThread();
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Not if other code has interrupted it, and expects the flag to stay set. */
	void interrupt() {
		this.lock.lock();
		try {
			Thread thread = this.thread;
			if (thread != null && !this.threads.isInterrupted(thread)) {
				this.interrupted = true;
				this.threads.interrupt(thread);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/* The thread does something else now; whether it is the calling one. */
	boolean leave() {
		this.lock.lock();
		try {
			boolean own = this.thread == Thread.currentThread();
			if (own && this.interrupted) {
				var unused = Thread.interrupted();
			}
			this.interrupted = false;
			this.thread = null;
			return own;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* For people to read; empty if there is no thread. */
	List<String> stack() {
		return stack(this.thread);
	}

	static List<String> stack(@Nullable Thread thread) {
		List<String> lines = new ArrayList<>();
		if (thread != null) {
			lines.add("thread '" + thread.getName() + "'");
			for (StackTraceElement element : thread.getStackTrace()) {
				lines.add("    at " + element);
			}
		}
		return lines;
	}

}
