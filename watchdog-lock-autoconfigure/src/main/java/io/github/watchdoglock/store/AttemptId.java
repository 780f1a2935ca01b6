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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identity of one try of an instance to get a key, never used again. What the store
 * keeps (a place, a reservation, a lease) belongs to an attempt and not to its instance.
 *
 * @param instance id of the instance, without dots and slashes
 * @param number counts the attempts of the instance
 * @param kind how it asks for the key
 */
public record AttemptId(String instance, long number, Kind kind) {

	/**
	 * Of one that asks for itself alone.
	 * @param instance id of the instance, without dots and slashes
	 * @param number counts the attempts of the instance
	 */
	public AttemptId(String instance, long number) {
		this(instance, number, Kind.EXCLUSIVE);
	}

	/**
	 * The attempt as it stands in the store: {@code <instance>.<number>}, and of what is
	 * shared {@code /r} or {@code /p<number of permits>}.
	 */
	@Override
	public String toString() {
		return this.instance + "." + Long.toString(this.number, Character.MAX_RADIX) + this.kind.suffix();
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
		int slash = text.indexOf('/', dot);
		int end = (slash < 0) ? text.length() : slash;
		return new AttemptId(text.substring(0, dot), Long.parseLong(text, dot + 1, end, Character.MAX_RADIX),
				Kind.parse(text.substring(end)));
	}

	/**
	 * How an attempt asks for a key: for itself alone, to read with others, or for one of
	 * so many permits. It stands in the attempt's id, so that each place in a queue says
	 * it.
	 *
	 * @param suffix what ids of attempts end with
	 * @param most how many attempts of this kind may have a key together
	 */
	public record Kind(String suffix, int most) {

		/**
		 * How many may read together, and the most permits there can be.
		 */
		public static final int MOST = 64;

		/**
		 * For itself alone.
		 */
		public static final Kind EXCLUSIVE = new Kind("", 1);

		/**
		 * To read, together with others who read.
		 */
		public static final Kind READ = new Kind("/r", MOST);

		private static final Pattern PERMITS = Pattern.compile("/p([2-9]|[1-9][0-9])");

		/**
		 * One of so many permits. One permit is an exclusive lock.
		 * @param number how many attempts may have one at once
		 * @return the kind
		 */
		public static Kind permits(int number) {
			if (number < 1 || number > MOST) {
				throw new IllegalArgumentException("'number' must be from 1 to " + MOST);
			}
			return (number > 1) ? new Kind("/p" + number, number) : EXCLUSIVE;
		}

		/**
		 * The kind that ids of attempts say.
		 * @param suffix what is behind their number
		 * @return the kind
		 * @throws IllegalArgumentException if it is none
		 */
		public static Kind parse(String suffix) {
			if (suffix.isEmpty()) {
				return EXCLUSIVE;
			}
			if (suffix.equals(READ.suffix)) {
				return READ;
			}
			Matcher permits = PERMITS.matcher(suffix);
			if (!permits.matches()) {
				throw new IllegalArgumentException("'" + suffix + "' is no kind");
			}
			return permits(Integer.parseInt(permits.group(1)));
		}

		/**
		 * Whether others may have the key at the same time.
		 * @return false if it is had alone
		 */
		public boolean isShared() {
			return !this.suffix.isEmpty();
		}

		/**
		 * Whether this is for permits, which no lock has a key with.
		 * @return false for who reads, writes, or has a lock
		 */
		public boolean isPermit() {
			return this.suffix.startsWith("/p");
		}

		/**
		 * Whether somebody may come to those who have a key.
		 * @param first the kind of one of them
		 * @param number how many they are, at least one
		 * @return true if there is room for one of this kind
		 */
		public boolean joins(Kind first, int number) {
			return isShared() && first.isShared() && isPermit() == first.isPermit() && number < this.most;
		}

	}

}
