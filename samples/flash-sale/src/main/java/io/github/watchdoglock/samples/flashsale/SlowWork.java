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

package io.github.watchdoglock.samples.flashsale;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;

import org.springframework.stereotype.Component;

/**
 * Work that takes longer than a lease. It knows whether it still holds its lock.
 */
@Component
public class SlowWork {

	private final Set<LockHandle> running = ConcurrentHashMap.newKeySet();

	private final LocalLocks locks;

	SlowWork(LocalLocks locks) {
		this.locks = locks;
	}

	void run(LockKey lock, Duration time) throws InterruptedException {
		LockHandle handle = this.locks.current(lock).orElseThrow();
		this.running.add(handle);
		try {
			Thread.sleep(time.toMillis());
		}
		finally {
			this.running.remove(handle);
		}
	}

	/**
	 * Return the locks that were lost while their work continues.
	 * @return the keys of the locks
	 */
	public List<String> unlocked() {
		return this.running.stream()
			.filter((handle) -> !handle.isHeld())
			.map((handle) -> handle.key().toString())
			.toList();
	}

}
