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

import java.time.Duration;

/**
 * The highest token of one key that may have been given. Not thread-safe.
 */
final class InMemoryFence {

	/* As Redis keeps it by default: 10 minutes, and no less than ten leases. */
	private static final long RETENTION = Duration.ofMinutes(10).toNanos();

	private static final int LEASES = 10;

	private long highest;

	private long until;

	/* Sets a block of tokens aside for a lease of so many nanoseconds. */
	TokenBlock reserve(long micros, long now, long lease) {
		long floor = isGone(now) ? 0 : this.highest;
		TokenBlock block = TokenBlock.startingAt(Math.max(floor + 1, micros));
		set(block.last(), now);
		retain(now, lease);
		return block;
	}

	/* Takes back what a lease did not use, never what leases before it may have. */
	void goBack(long lastToken, long firstToken, long now) {
		set(Math.max(lastToken, firstToken - 1), now);
	}

	void retain(long now, long lease) {
		long end = now + Math.max(RETENTION, (lease > Long.MAX_VALUE / LEASES) ? lease : lease * LEASES);
		if (!isGone(now) && end - this.until > 0) {
			this.until = end;
		}
	}

	private void set(long token, long now) {
		this.until = isGone(now) ? now + RETENTION : this.until;
		this.highest = token;
	}

	boolean isGone(long now) {
		return this.highest == 0 || now - this.until >= 0;
	}

}
