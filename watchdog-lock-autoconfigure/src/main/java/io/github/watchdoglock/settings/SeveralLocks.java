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

package io.github.watchdoglock.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.github.watchdoglock.LockRequest;

/**
 * How many locks one caller may ask for at once, and in which order they are taken.
 */
public final class SeveralLocks {

	private static final int MOST = 64;

	private SeveralLocks() {
	}

	/**
	 * Requests in the order in which they are taken, which is the same for all callers;
	 * the same key again comes as it was asked.
	 * @param requests the requests
	 * @return a new list
	 * @throws IllegalArgumentException if there are none, or too many
	 */
	public static List<LockRequest> inOrder(Collection<LockRequest> requests) {
		if (requests.isEmpty()) {
			throw new IllegalArgumentException("'requests' must not be empty: there is nothing to lock");
		}
		if (requests.size() > MOST) {
			throw new IllegalArgumentException("'requests' has " + requests.size() + " elements, and may have " + MOST
					+ ": each is a lock of its own; lock what they have in common");
		}
		return requests.stream().sorted(Comparator.comparing(LockRequest::key)).toList();
	}

}
