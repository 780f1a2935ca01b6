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
import java.util.concurrent.TimeUnit;

/**
 * How long to wait before a failed command is tried again: from 50 ms, doubled each time,
 * up to a second, each with jitter so that instances do not come back together.
 */
final class Backoff {

	private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int MAX_DOUBLINGS = 5;

	private static final long MOST = TimeUnit.SECONDS.toNanos(1);

	private Backoff() {
	}

	static long after(int failures) {
		long delay = Math.min(FIRST << Math.min(failures - 1, MAX_DOUBLINGS), MOST);
		return delay / 2 + ThreadLocalRandom.current().nextLong(delay / 2);
	}

}
