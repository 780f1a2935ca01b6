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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A session for one survey of locks, with its connections. Methods block; not
 * thread-safe.
 */
interface SurveySession extends AutoCloseable {

	/**
	 * Return the servers that have locks.
	 * @return their ids in a cluster, always in the same order; otherwise a single empty
	 * id
	 */
	List<String> nodes();

	/**
	 * Return one of the servers.
	 * @param id its id
	 * @return the server
	 */
	Node node(String id);

	@Override
	void close();

	/**
	 * A server that has locks.
	 */
	interface Node {

		/**
		 * Scan some of the server's keys.
		 * @param cursor the cursor at which to begin, 0 for the beginning
		 * @param count the approximate number of keys
		 * @param pattern the pattern of the names
		 * @return the names of keys that may be locks, and the next cursor
		 */
		Scanned scan(String cursor, int count, byte[] pattern);

		/**
		 * Read the state of locks.
		 * @param names the names of their keys
		 * @return the script's answer for each; null for a key that is not a lock
		 */
		List<@Nullable String> find(List<byte[]> names);

	}

	/**
	 * Some of a server's keys.
	 *
	 * @param next the cursor at which to continue, 0 at the end
	 * @param names the names of the keys
	 */
	record Scanned(String next, List<byte[]> names) {

	}

}
