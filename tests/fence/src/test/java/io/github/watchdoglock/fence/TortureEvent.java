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

package io.github.watchdoglock.fence;

import java.util.Locale;

/**
 * An event that an instance of the torture run reports.
 *
 * @param kind the kind
 * @param instance the instance
 * @param key the lock, if known
 * @param time when the run received it, by {@link System#nanoTime()}
 */
record TortureEvent(Kind kind, int instance, String key, long time) {

	static String format(Kind kind, String text) {
		return "event " + kind + " " + text.replace('\n', ' ');
	}

	static TortureEvent parse(String line, int instance) {
		String[] words = line.split(" ", 3);
		return new TortureEvent(Kind.valueOf(words[1]), instance, words[2], System.nanoTime());
	}

	@Override
	public String toString() {
		return this.kind.name().toLowerCase(Locale.ROOT) + " in instance " + this.instance + ": " + this.key;
	}

	/**
	 * An event of a caller.
	 */
	enum Kind {

		/** Its transaction was rejected. */
		OVERTAKEN,

		/** A later holder had raised the row first. */
		REFUSED,

		/** Its raise waited too long. */
		BUSY,

		/** Its raise waits; observed from outside. */
		WAITING,

		/** The lock was lost in Redis. */
		LOST,

		/** Others held the lock for too long. */
		CONTENDED,

		/** A connection to the database was cut. */
		CUT,

		/** Redis failed. */
		STORE,

		/** A statement of the current holder met a concurrent transaction. */
		CONFLICT,

		/** Anything else. */
		UNEXPECTED

	}

}
