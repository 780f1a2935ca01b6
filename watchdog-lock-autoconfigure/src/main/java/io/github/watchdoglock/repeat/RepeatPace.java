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

package io.github.watchdoglock.repeat;

import java.util.concurrent.TimeUnit;

/**
 * The pace of repetitions, in commands per tick: a single one from time to time while the
 * store fails, more after each answer, fewer after each failure.
 */
final class RepeatPace {

	/* There are a hundred ticks per second. */
	private static final int MAX_PER_TICK = 50;

	/*
	 * The number of commands that a paused store finds in its socket when it continues.
	 */
	private static final int MAX_UNDER_WAY = 500;

	/*
	 * A single command is sent every 50 to 100 ms. This is short, because locks stay
	 * locked for so long after the store is back.
	 */
	private static final long HALF_PROBE = TimeUnit.MILLISECONDS.toNanos(50);

	private int inATick;

	private long probeAt;

	/* Begin after a failure, without any other knowledge about the store. */
	void begin(long now) {
		this.inATick = 0;
		this.probeAt = now;
	}

	/* Return how many may be sent now. The chance is at least zero and less than one. */
	int next(long now, int underWay, double chance) {
		int room = Math.max(MAX_UNDER_WAY - underWay, 0);
		if (this.inATick > 0) {
			return Math.min(this.inATick, room);
		}
		if (room <= 0 || now - this.probeAt < 0) {
			return 0;
		}
		this.probeAt = now + HALF_PROBE + (long) (chance * HALF_PROBE);
		return 1;
	}

	void answered() {
		this.inATick = Math.min(Math.max(1, 2 * this.inATick), MAX_PER_TICK);
	}

	void failed() {
		this.inATick /= 2;
	}

}
