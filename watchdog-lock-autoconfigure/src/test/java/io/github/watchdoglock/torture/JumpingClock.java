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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.github.watchdoglock.time.Ticker;

/**
 * A time of day that can be set, and that runs as slow as a ticker, so it does not reveal
 * that the ticker is slow. Thread-safe for one thread that sets it.
 */
final class JumpingClock implements InstantSource {

	private final Ticker ticker;

	private final Instant start = Instant.now();

	private final long startTicks;

	private volatile Duration offset = Duration.ZERO;

	JumpingClock(Ticker ticker) {
		this.ticker = ticker;
		this.startTicks = ticker.read();
	}

	void jump(Duration by) {
		this.offset = this.offset.plus(by);
	}

	@Override
	public Instant instant() {
		return this.start.plus(this.offset).plusNanos(this.ticker.read() - this.startTicks);
	}

}
