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

package io.github.watchdoglock.migration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A critical section that an instance has executed. Its times are those of
 * {@link System#nanoTime()}, which is one clock for all JVMs of a machine with Linux.
 *
 * @param generation the generation of the instance
 * @param key the key of the lock
 * @param begin when it began
 * @param end when it ended
 */
record Section(Generation generation, String key, long begin, long end) {

	static Section execute(Generation generation, String key) {
		long begin = System.nanoTime();
		LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
		return new Section(generation, key, begin, System.nanoTime());
	}

	static Section parse(String line) {
		String[] parts = line.split(" ", 4);
		return new Section(Generation.valueOf(parts[0]), parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
	}

	String format() {
		return this.generation + " " + this.key + " " + this.begin + " " + this.end;
	}

}
