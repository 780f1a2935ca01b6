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

package io.github.watchdoglock.engine;

import java.util.concurrent.ThreadLocalRandom;

import io.github.watchdoglock.time.Threads;

/**
 * Threads that sometimes let another thread run where they call this, so that they meet
 * in different places. No thread is parked, interrupted or started.
 */
final class UnevenThreads implements Threads {

	/* One call of so many yields. */
	private static final int RARELY = 8;

	@SuppressWarnings("ThreadPriorityCheck")
	static void varySpeed() {
		if (ThreadLocalRandom.current().nextInt(RARELY) == 0) {
			Thread.yield();
		}
	}

	@Override
	public void park(Object blocker, long nanos) {
		varySpeed();
	}

	@Override
	public long elapsed() {
		return 0;
	}

	@Override
	public void unpark(Thread thread) {
		varySpeed();
	}

	@Override
	public void interrupt(Thread thread) {
		varySpeed();
	}

	@Override
	public boolean isInterrupted(Thread thread) {
		return false;
	}

	@Override
	public Thread start(String name, Runnable work) {
		throw new IllegalStateException("No thread is started: " + name);
	}

	@Override
	public void proceed(Runnable tasks) {
		varySpeed();
		tasks.run();
	}

	@Override
	public double random() {
		return 0;
	}

}
