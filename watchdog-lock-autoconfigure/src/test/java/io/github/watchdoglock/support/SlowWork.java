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

package io.github.watchdoglock.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that takes a given time, and does nothing else.
 */
public final class SlowWork {

	private SlowWork() {
	}

	/**
	 * Work on this thread.
	 * @param time how long it takes
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public static void take(Duration time) throws InterruptedException {
		Thread.sleep(time.toMillis());
	}

	/**
	 * Work on this thread, which must not be interrupted meanwhile.
	 * @param time how long it takes
	 */
	public static void uninterrupted(Duration time) {
		uninterrupted(new CountDownLatch(1), time);
	}

	/**
	 * Work on this thread until a latch is open. The thread must not be interrupted
	 * meanwhile.
	 * @param end is counted down at the end
	 * @param most the maximum time
	 */
	public static void uninterrupted(CountDownLatch end, Duration most) {
		try {
			var unused = end.await(most.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Work on this thread until a latch is open or the thread is interrupted.
	 * @param latch ends the work
	 */
	public static void until(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
