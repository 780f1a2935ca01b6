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

package io.github.watchdoglock.benchmarks.run;

import java.util.SplittableRandom;

/**
 * The mix of uses of a lock, turn by turn.
 */
enum Mix {

	/** All turns are exclusive. */
	EXCLUSIVE,

	/** Nine of ten turns read, and one writes. */
	READERS,

	/** All turns use a permit. */
	PERMITS;

	private static final int WRITES_ONE_IN = 10;

	Use next(SplittableRandom random) {
		return switch (this) {
			case EXCLUSIVE -> Use.EXCLUSIVE;
			case READERS -> (random.nextInt(WRITES_ONE_IN) == 0) ? Use.WRITE : Use.READ;
			case PERMITS -> Use.PERMIT;
		};
	}

}
