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
 * The locks of all instances, or some of them, by what the store has. Immutable.
 *
 * @param instance application name and host of who answers
 * @param held what is held, ordered by name and key
 * @param heldCount how much was found, whether listed or not
 * @param incomplete whether there may be more
 * @param cursor where the next answer is to begin; null where everything was looked at
 * @param gaps what could not be looked at; null where there is nothing
 * @param off why the locks of all instances are not listed; null where they are
 */
public record AllLocksDescriptor(String instance, List<HeldDescriptor> held, int heldCount, boolean incomplete,
		@Nullable String cursor, @Nullable List<String> gaps, @Nullable String off) implements OperationResponseBody {

	/**
	 * A lock that somebody holds, or that is kept for a minimum hold time.
	 *
	 * @param name name of the lock
	 * @param key its id, hidden where values are; null where it has none
	 * @param holder label of the holder: application name, host and thread
	 * @param instance application name and host of the holder, where its label has them
	 * @param token the first fencing token of the lease
	 * @param remaining how long the lease lasts unless it is renewed
	 * @param waiting how many instances wait
	 * @param mode how it is held: exclusive, also by who writes, read, permit
	 * @param holders how many hold it, of whom this one's lease ends first
	 * @param permits by how many permits they have asked, by different numbers where
	 * there are several; null where it is not held by permits
	 */
	public record HeldDescriptor(String name, @Nullable String key, String holder, @Nullable String instance,
			long token, Duration remaining, int waiting, String mode, int holders, @Nullable List<Integer> permits) {

	}

}
