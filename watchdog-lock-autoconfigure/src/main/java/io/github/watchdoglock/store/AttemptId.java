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

package io.github.watchdoglock.store;

/**
 * The identity of one try of an instance to get a key, never used again. What the store
 * keeps (a place, a reservation, a lease) belongs to an attempt and not to its instance.
 *
 * @param instance id of the instance, without a dot
 * @param number counts the attempts of the instance
 */
public record AttemptId(String instance, long number) {

	/**
	 * The attempt as it stands in the store: {@code <instance>.<number>}.
	 */
	@Override
	public String toString() {
		return this.instance + "." + Long.toString(this.number, Character.MAX_RADIX);
	}

	/**
	 * The attempt that a text stands for.
	 * @param text what {@link #toString()} gave
	 * @return the attempt
	 * @throws IllegalArgumentException if it stands for none
	 */
	public static AttemptId parse(String text) {
		int dot = text.lastIndexOf('.');
		if (dot < 0) {
			throw new IllegalArgumentException("'" + text + "' is no attempt");
		}
		return new AttemptId(text.substring(0, dot), Long.parseLong(text, dot + 1, text.length(), Character.MAX_RADIX));
	}

}
