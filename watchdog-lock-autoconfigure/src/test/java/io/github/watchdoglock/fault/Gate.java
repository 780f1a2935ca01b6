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

import java.time.Duration;

/**
 * One direction through a proxy, for all of its connections: its delay, and whether it is
 * open. Thread-safe.
 */
final class Gate {

	/* Waiting threads use the monitor of this object. */
	private volatile boolean closed;

	private volatile Duration delay = Duration.ZERO;

	Duration delay() {
		return this.delay;
	}

	void delay(Duration delay) {
		this.delay = delay;
	}

	boolean isClosed() {
		return this.closed;
	}

	void close() {
		this.closed = true;
	}

	synchronized void open() {
		this.closed = false;
		notifyAll();
	}

	synchronized void pass() throws InterruptedException {
		while (this.closed) {
			wait();
		}
	}

}
