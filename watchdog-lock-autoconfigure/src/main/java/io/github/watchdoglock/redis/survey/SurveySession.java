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

package io.github.watchdoglock.redis.survey;

import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.lettuce.core.KeyScanCursor;

/**
 * A session for one survey of locks, with its connections. Methods block; not
 * thread-safe.
 */
public interface SurveySession extends AutoCloseable {

	/**
	 * Return the servers that have locks.
	 * @return their ids in a cluster, always in the same order; otherwise a single empty
	 * id
	 */
	List<String> nodes();

	/**
	 * Scan some keys of a server.
	 * @param node the id of the server
	 * @param cursor the cursor at which to begin, 0 for the beginning
	 * @param count the approximate number of keys
	 * @param pattern the pattern of the names
	 * @return the names of keys that may be locks, and the next cursor
	 */
	KeyScanCursor<byte[]> scan(String node, String cursor, int count, byte[] pattern);

	/**
	 * Read the state of locks.
	 * @param node the id of the server that had them
	 * @param names the locks, and the names of their keys
	 * @return the holders of each lock, without keys that are not locks
	 */
	Map<LockKey, List<LockState>> find(String node, Map<LockKey, byte[]> names);

	@Override
	void close();

}
