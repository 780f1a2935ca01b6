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

package io.github.watchdoglock.benchmarks.worker;

import io.github.watchdoglock.benchmarks.lock.RenewedLock;

/**
 * Looks at every tenth of many locks that are held, as {@link HoldMany} takes them.
 * Answers with how many of those nobody has.
 *
 * @param prefix what keys begin with
 * @param count how many locks there are
 */
public record FreeLocks(String prefix, int count) implements Task<Integer> {

	private static final int STEP = 10;

	@Override
	public Integer run(Workplace place) {
		if (!(place.only() instanceof RenewedLock lock)) {
			throw new IllegalStateException("Nobody renews these locks");
		}
		int free = 0;
		for (int k = 0; k < this.count; k += STEP) {
			if (!lock.isTaken(this.prefix + "-" + k)) {
				free++;
			}
		}
		return free;
	}

}
