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

import java.util.concurrent.TimeUnit;

/**
 * Whether a caller who waits has ever heard from the store, be it that it failed. Until
 * then it may still connect, which takes longer than a command may. Thread-safe.
 */
final class FirstContact {

	private static final long CONNECTING = TimeUnit.SECONDS.toNanos(2);

	private volatile boolean made;

	void make() {
		if (!this.made) {
			this.made = true;
		}
	}

	/* So much longer than its time-out an answer may take. */
	long grace() {
		return this.made ? 0 : CONNECTING;
	}

}
