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

package io.github.watchdoglock;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a lock: two requests with equal keys exclude each other, in whichever
 * instance they are made. Immutable.
 *
 * @param name fixed in the code and bounded in number: it tags meters
 * @param id what comes from arguments, unbounded in number; {@code null} for the one lock
 * that has the name alone
 */
public record LockKey(String name, @Nullable String id) {

	public LockKey {
		if (name == null || name.isBlank()) {
			throw new LockKeyException("'name' of a lock must not be blank: give it a fixed name, such as \"orders\"");
		}
		if (id != null && id.isBlank()) {
			throw new LockKeyException("'id' of lock '" + Text.clean(name)
					+ "' must not be blank: all such callers would share one lock; use LockKey.of(name) if that is meant");
		}
	}

	/**
	 * The key of a lock that has a name and no id.
	 * @param name the name, not blank
	 * @return the key
	 * @throws LockKeyException if the name is null or blank
	 */
	public static LockKey of(String name) {
		return new LockKey(name, null);
	}

	/**
	 * The key of one of the locks of a name.
	 * @param name the name, not blank
	 * @param id the id, not blank; null for the lock without an id
	 * @return the key
	 * @throws LockKeyException if the name is null or blank, or the id blank
	 */
	public static LockKey of(String name, @Nullable String id) {
		return new LockKey(name, id);
	}

	/**
	 * Name and id as they stand in messages and logs: without control characters, and cut
	 * where they are long. Not unique; compare keys with {@link #equals(Object)}.
	 */
	@Override
	public String toString() {
		return (this.id != null) ? Text.clean(this.name) + ":" + Text.clean(this.id) : Text.clean(this.name);
	}

	/**
	 * The name as it stands in logs: without control characters, and cut where it is
	 * long.
	 * @return the name, for people
	 */
	public String printableName() {
		return Text.clean(this.name);
	}

	/**
	 * The id as it stands in logs: without control characters, and cut where it is long.
	 * Not unique.
	 * @return the id, for people; null where there is none
	 */
	public @Nullable String printableId() {
		return (this.id != null) ? Text.clean(this.id) : null;
	}

}
