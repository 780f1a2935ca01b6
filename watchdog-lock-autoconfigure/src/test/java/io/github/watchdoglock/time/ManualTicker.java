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

package io.github.watchdoglock.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves by hand.
 */
public class ManualTicker implements Ticker {

	/* Far from zero and negative, as System.nanoTime() may be. */
	private final AtomicLong now = new AtomicLong(-5_000_000_000_000L);

	private final AtomicLong slept = new AtomicLong();

	/** A wall clock that advances with this clock, except when a test sets it. */
	public final InstantSource wallClock = () -> Instant.ofEpochSecond(1_800_000_000)
		.plusNanos(this.now.get() + this.slept.get());

	@Override
	public long read() {
		return this.now.get();
	}

	public void advance(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

	/* Only the wall clock advances, as while a machine sleeps or when it is set. */
	public void sleep(Duration time) {
		this.slept.addAndGet(time.toNanos());
	}

}
