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
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The fair locks of the JVM, for all instances in it, without any requests.
 */
final class OneJvm implements Competitor.Kinds {

	private static final Map<String, Lock> LOCKS = new ConcurrentHashMap<>();

	private static final Map<String, ReentrantReadWriteLock> READ_WRITE_LOCKS = new ConcurrentHashMap<>();

	private static final Map<String, Semaphore> SEMAPHORES = new ConcurrentHashMap<>();

	@Override
	public Held lock(String key) throws InterruptedException {
		return take(LOCKS.computeIfAbsent(key, (k) -> new ReentrantLock(true)));
	}

	@Override
	public Held read(String key) throws InterruptedException {
		return take(READ_WRITE_LOCKS.computeIfAbsent(key, (k) -> new ReentrantReadWriteLock(true)).readLock());
	}

	@Override
	public Held write(String key) throws InterruptedException {
		return take(READ_WRITE_LOCKS.computeIfAbsent(key, (k) -> new ReentrantReadWriteLock(true)).writeLock());
	}

	@Override
	public Held permit(String key, int permits) throws InterruptedException {
		Semaphore semaphore = SEMAPHORES.computeIfAbsent(key, (k) -> new Semaphore(permits, true));
		semaphore.acquire();
		return semaphore::release;
	}

	private static Held take(Lock lock) throws InterruptedException {
		lock.lockInterruptibly();
		return lock::unlock;
	}

}
