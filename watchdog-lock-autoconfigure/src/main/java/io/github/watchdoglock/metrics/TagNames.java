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

package io.github.watchdoglock.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The names of locks as tag values: a limited number of names unchanged, in the order of
 * their first use, and further names as {@code other}. A lock named {@code other} is not
 * distinguished from those. Thread-safe.
 */
final class TagNames {

	private static final String OTHER = "other";

	private final int maxNames;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	/* Guards adding, so that the number of names is exact. */
	private final ReentrantLock adding = new ReentrantLock();

	TagNames(int maxNames) {
		this.maxNames = maxNames;
	}

	String of(String name) {
		return (this.known.contains(name) || (this.known.size() < this.maxNames && !name.equals(OTHER) && add(name)))
				? name : OTHER;
	}

	private boolean add(String name) {
		this.adding.lock();
		try {
			return this.known.contains(name) || (this.known.size() < this.maxNames && this.known.add(name));
		}
		finally {
			this.adding.unlock();
		}
	}

}
