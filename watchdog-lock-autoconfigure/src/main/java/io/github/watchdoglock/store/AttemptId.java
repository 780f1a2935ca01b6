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
 * The identity of one attempt of an instance to acquire a key, which is never used again.
 * A place, a reservation and a lease in the store belong to an attempt and not to its
 * instance.
 *
 * @param instance the id of the instance, without dots and slashes
 * @param number the number of the attempt within the instance
 * @param kind the kind in which it requests the key
 */
public record AttemptId(String instance, long number, Kind kind) {

	/**
	 * Create the id of an exclusive attempt.
	 * @param instance the id of the instance, without dots and slashes
	 * @param number the number of the attempt within the instance
	 */
	public AttemptId(String instance, long number) {
		this(instance, number, Kind.EXCLUSIVE);
	}

	/**
	 * Return the attempt's id in the store: {@code <instance>.<number>}, followed by
	 * {@code /r} or {@code /p<number of permits>} if its kind is shared.
	 */
	@Override
	public String toString() {
		return this.instance + "." + Long.toString(this.number, Character.MAX_RADIX) + this.kind.suffix();
	}

	/**
	 * Parse an attempt's id.
	 * @param text a string that {@link #toString()} returned
	 * @return the attempt
	 * @throws IllegalArgumentException if the string is not an attempt's id
	 */
	public static AttemptId parse(String text) {
		int dot = text.lastIndexOf('.');
		if (dot < 0) {
			throw new IllegalArgumentException("'" + text + "' is not an attempt");
		}
		int slash = text.indexOf('/', dot);
		int end = (slash < 0) ? text.length() : slash;
		return new AttemptId(text.substring(0, dot), Long.parseLong(text, dot + 1, end, Character.MAX_RADIX),
				Kind.parse(text.substring(end)));
	}

	/**
	 * The kind in which an attempt requests a key: exclusively, to read together with
	 * others, or for one of a number of permits. It is part of the attempt's id, so that
	 * each place in a queue shows it.
	 *
	 * @param suffix the end of the ids of such attempts
	 * @param most how many attempts of this kind may hold a key together
	 */
	public record Kind(String suffix, int most) {

		/** The maximum number of concurrent readers, and of permits. */
		public static final int MAX_HOLDERS = 64;

		/** An exclusive attempt. */
		public static final Kind EXCLUSIVE = new Kind("", 1);

		/** A reader, which may hold the key together with other readers. */
		public static final Kind READ = new Kind("/r", MAX_HOLDERS);

		private static final Pattern PERMITS = Pattern.compile("/p([2-9]|[1-9][0-9])");

		/**
		 * Return the kind of attempts for one of several permits. One permit is an
		 * exclusive lock.
		 * @param number how many attempts may hold a permit at the same time
		 * @return the kind
		 */
		public static Kind permits(int number) {
			if (number < 1 || number > MAX_HOLDERS) {
				throw new IllegalArgumentException("'number' must be from 1 to " + MAX_HOLDERS);
			}
			return (number > 1) ? new Kind("/p" + number, number) : EXCLUSIVE;
		}

		/**
		 * Parse the kind in an attempt's id.
		 * @param suffix the part of the id behind its number
		 * @return the kind
		 * @throws IllegalArgumentException if there is no such kind
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
				throw new IllegalArgumentException("'" + suffix + "' is not a kind");
			}
			return permits(Integer.parseInt(permits.group(1)));
		}

		/**
		 * Return whether other attempts may hold the key at the same time.
		 * @return false if the key is held exclusively
		 */
		public boolean isShared() {
			return !this.suffix.isEmpty();
		}

		/**
		 * Return whether this kind is for permits, which cannot be used together with
		 * locks of the same key.
		 * @return false for readers, writers and exclusive locks
		 */
		public boolean isPermit() {
			return this.suffix.startsWith("/p");
		}

		/**
		 * Return whether an attempt of this kind may join the attempts that hold a key.
		 * @param first the kind of one of them
		 * @param number how many there are, at least one
		 * @return true if there is room for one more of this kind
		 */
		public boolean joins(Kind first, int number) {
			return isShared() && first.isShared() && isPermit() == first.isPermit() && number < this.most;
		}

	}

}
