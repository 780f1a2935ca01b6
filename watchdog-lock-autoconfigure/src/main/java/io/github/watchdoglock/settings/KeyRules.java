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
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * The rules for each key that callers pass in. They are applied once, so that the code
 * that creates messages need not consider them. Immutable.
 *
 * @param maxIdLength the maximum number of characters of an id
 * @param display returns the replacement of an id in messages and logs; null to show the
 * id itself
 */
public record KeyRules(int maxIdLength, @Nullable UnaryOperator<String> display) {

	/** Ids of at most 512 characters, shown unchanged. */
	public static final KeyRules DEFAULT = new KeyRules(512, null);

	private static final int MAX_REQUESTS = 64;

	/**
	 * Check a key, and apply the rule for its display.
	 * @param key the key
	 * @return the same key, displayed according to these rules
	 * @throws LockKeyException if its id is too long
	 */
	public LockKey admit(LockKey key) {
		String id = key.id();
		if (id != null && id.length() > this.maxIdLength) {
			throw new LockKeyException("'id' of lock '" + key.printableName() + "' has " + id.length()
					+ " characters, and may have at most " + this.maxIdLength + ". Use a shorter id, or raise"
					+ " watchdog-lock.max-id-length");
		}
		return key.shownBy(this.display);
	}

	/**
	 * Check the key of a request, and apply the rule for its display.
	 * @param request the request
	 * @return the same request, whose key is displayed according to these rules
	 * @throws LockKeyException if its id is too long
	 */
	@SuppressWarnings("ReferenceEquality")
	public LockRequest admit(LockRequest request) {
		// Compared by identity: another key may be equal to the request's key, but be
		// displayed differently.
		LockKey key = admit(request.key());
		return (key != request.key()) ? request.withKey(key) : request;
	}

	/**
	 * Return the key as the store knows it: an id of more than 256 bytes is shortened in
	 * a way that keeps it different from all other ids.
	 * @param key the key
	 * @return the same key unless its id is long
	 */
	public static LockKey bounded(LockKey key) {
		return LongKeys.bounded(key);
	}

	/**
	 * Return requests in the order in which they are acquired, which is the same for all
	 * callers. Requests for the same key keep their order, except that WRITE comes before
	 * READ.
	 * @param requests the requests
	 * @return a new list
	 * @throws IllegalArgumentException if there are none, or too many
	 */
	public static List<LockRequest> inOrder(Collection<LockRequest> requests) {
		if (requests.isEmpty()) {
			throw new IllegalArgumentException("'requests' must not be empty: there is nothing to lock");
		}
		if (requests.size() > MAX_REQUESTS) {
			throw new IllegalArgumentException("'requests' has " + requests.size() + " elements, and may have at most "
					+ MAX_REQUESTS + ", because each is a lock of its own. Use a key that they have in common");
		}
		return requests.stream()
			.sorted(Comparator.comparing(LockRequest::key).thenComparing((request) -> request.mode() == LockMode.READ))
			.toList();
	}

}
