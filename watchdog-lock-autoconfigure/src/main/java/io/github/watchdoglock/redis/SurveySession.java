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
 * Connections for one look at locks. Methods block; not thread-safe.
 */
interface SurveySession extends AutoCloseable {

	/**
	 * The servers that have locks.
	 * @return their ids in a cluster, always in the same order; else one that is empty
	 */
	List<String> nodes();

	/**
	 * One of the servers.
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
		 * Go over some of its keys.
		 * @param cursor where to begin, 0 for the beginning
		 * @param count about how many
		 * @param pattern what names look like
		 * @return the names of those that may be locks
		 */
		Scanned scan(String cursor, int count, byte[] pattern);

		/**
		 * Look at locks.
		 * @param names the names of their keys
		 * @return what the script says of each; null where one is no lock
		 */
		List<@Nullable String> find(List<byte[]> names);

	}

	/**
	 * Some of a server's keys.
	 *
	 * @param next where to go on, 0 at the end
	 * @param names their names
	 */
	record Scanned(String next, List<byte[]> names) {

	}

}
