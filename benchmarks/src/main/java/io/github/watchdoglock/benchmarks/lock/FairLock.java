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

package io.github.watchdoglock.benchmarks.lock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fair {@link ReentrantLock} for each key, within one instance.
 */
final class FairLock implements Competitor {

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	@Override
	public Held lock(String key) throws InterruptedException {
		ReentrantLock lock = this.locks.computeIfAbsent(key, (k) -> new ReentrantLock(true));
		lock.lockInterruptibly();
		return lock::unlock;
	}

}
