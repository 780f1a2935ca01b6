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

package io.github.watchdoglock.redis;

import io.github.watchdoglock.engine.LeaseInspector;
import io.github.watchdoglock.engine.LeaseStore;
import io.github.watchdoglock.engine.WakeUps;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Locks in Redis: the store, what operators ask of it, and its wake-ups, over connections
 * of their own. Thread-safe.
 * <p>
 * Construction asks nothing of Redis, which may be down: a daemon thread connects, and
 * commands fail until it has. Not promised: that Redis keeps a lease over a failover.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RedisLocks implements AutoCloseable {

	/**
	 * Create the locks and begin to connect.
	 * @param application the application's connection factory; connections are opened
	 * from its configuration where that can be read, else from the factory itself
	 * @param settings what the store is told
	 */
	public RedisLocks(RedisConnectionFactory application, RedisLockSettings settings) {
	}

	/**
	 * The store of leases.
	 * @return always the same object
	 */
	public LeaseStore store() {
		throw new UnsupportedOperationException();
	}

	/**
	 * What operators ask of the store.
	 * @return always the same object
	 */
	public LeaseInspector inspector() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Hints by messages; brings none where they are switched off.
	 * @return always the same object
	 */
	public WakeUps wakeUps() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Close the connections. Commands fail from now on.
	 */
	@Override
	public void close() {
	}

}
