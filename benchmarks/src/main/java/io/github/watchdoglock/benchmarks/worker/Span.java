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

package io.github.watchdoglock.benchmarks.worker;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What is measured of a round, by {@link System#nanoTime()}, which all JVMs of a machine
 * share on Linux.
 *
 * @param from the beginning
 * @param until the end, exclusive
 */
public record Span(long from, long until) implements Serializable {

	/**
	 * A span that begins some time from now.
	 * @param ahead when
	 * @param length how long it is
	 * @return the span
	 */
	public static Span in(Duration ahead, Duration length) {
		long from = System.nanoTime() + ahead.toNanos();
		return new Span(from, from + length.toNanos());
	}

	boolean contains(long time) {
		return time - this.from >= 0 && time - this.until < 0;
	}

	/**
	 * How long it is.
	 * @return seconds
	 */
	public double seconds() {
		return (this.until - this.from) / 1e9;
	}

	/**
	 * Wait until it begins.
	 */
	public void awaitBegin() {
		sleepUntil(this.from);
	}

	/**
	 * Wait until it is over.
	 */
	public void awaitEnd() {
		sleepUntil(this.until);
	}

	/* Work that takes no processor, as most of what is done under a lock. */
	static void sleepUntil(long time) {
		for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
