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

package io.github.watchdoglock.simulation;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An action of callers, operators or faults at some time of a world.
 *
 * @param at nanoseconds of true time from its beginning
 * @param what a description for readers
 * @param deed carries it out
 */
record Act(long at, String what, Consumer<World> deed) {

	@Override
	public String toString() {
		return TimeUnit.NANOSECONDS.toMillis(this.at) + " ms: " + this.what;
	}

}
