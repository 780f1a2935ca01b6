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

import io.github.watchdoglock.time.ManualTicker;

/**
 * A clock that moves by hand, and fails when it is told to.
 */
final class FailingTicker extends ManualTicker {

	/** All readings fail. */
	boolean failing;

	/** The reading that fails, counted from one; zero for none. */
	int failingReading;

	@Override
	public long read() {
		if (this.failing || (this.failingReading > 0 && --this.failingReading == 0)) {
			throw new OutOfMemoryError("made up");
		}
		return super.read();
	}

}
