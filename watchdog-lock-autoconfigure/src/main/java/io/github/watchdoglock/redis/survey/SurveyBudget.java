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

package io.github.watchdoglock.redis.survey;

import java.util.concurrent.TimeUnit;

/**
 * The limits of one survey in Redis: keys, and time. The time is what its batches take
 * from here, which is more than the time that Redis spends. Not thread-safe.
 */
final class SurveyBudget {

	static final int MAX_KEYS = 10_000;

	/*
	 * A batch takes Redis a few milliseconds, and it executes other clients' commands in
	 * between.
	 */
	static final int BATCH = 200;

	private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private int keys;

	private long nanos;

	private long longest;

	/*
	 * Whether there is enough for another batch, from a server that may return a few keys
	 * more than requested.
	 */
	boolean hasEnough() {
		return this.keys + 2 * BATCH <= MAX_KEYS && this.nanos + this.longest <= MAX_NANOS;
	}

	void spend(int keys, long nanos) {
		this.keys += keys;
		this.nanos += nanos;
		this.longest = Math.max(this.longest, nanos);
	}

}
