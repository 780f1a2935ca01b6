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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.time.Threads;

/**
 * Those of the JVM. Each task has a thread of its own, since it may have to wait for the
 * start of the store; where there is none to be had, it is tried again.
 *
 * @param threads where threads come from
 */
record SystemDelays(Threads threads) implements Delays {

	/** How long to wait for a thread. */
	static final Duration AGAIN = Duration.ofSeconds(1);

	@Override
	public void after(Duration delay, Runnable task) {
		CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, (due) -> start(due)).execute(task);
	}

	private void start(Runnable task) {
		try {
			this.threads.start("watchdog-lock-leader", task);
		}
		catch (Throwable ex) {
			after(AGAIN, task);
		}
	}

}
