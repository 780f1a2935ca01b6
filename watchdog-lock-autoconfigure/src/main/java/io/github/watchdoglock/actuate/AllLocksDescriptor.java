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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The locks of all instances, or some of them, according to the store. Immutable.
 *
 * @param instance application name and host of the instance that answers
 * @param held the held locks, ordered by name and key
 * @param heldCount how many were found, whether listed or not
 * @param incomplete whether there may be more
 * @param cursor where the next answer begins; null if everything was searched
 * @param gaps the parts that could not be searched; null if there are none
 * @param off why the locks of all instances are not listed; null if they are listed
 */
public record AllLocksDescriptor(String instance, List<HeldDescriptor> held, int heldCount, boolean incomplete,
		@Nullable String cursor, @Nullable List<String> gaps, @Nullable String off) implements OperationResponseBody {

	/**
	 * A held lock, or one that is kept for a minimum hold time.
	 *
	 * @param name name of the lock
	 * @param key its id, sanitized if values are not shown; null if it has none
	 * @param holder label of the holder: application name, host and thread
	 * @param instance application name and host of the holder; null if its label has none
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @param mode how it is held: exclusive (also by a writer), read, permit
	 * @param holders how many hold it; the other values are those of the one whose lease
	 * ends first
	 * @param permits the numbers of permits that the holders' requests have used; null if
	 * it is not held with permits
	 */
	public record HeldDescriptor(String name, @Nullable String key, String holder, @Nullable String instance,
			long token, Duration remaining, int waiting, String mode, int holders, @Nullable List<Integer> permits) {

	}

}
