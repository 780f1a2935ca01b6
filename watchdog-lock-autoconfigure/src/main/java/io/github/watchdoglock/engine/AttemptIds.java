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

package io.github.watchdoglock.engine;

import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The ids of attempts, which must be unique even if the process is copied: the store
 * takes a command with a known id for a repetition, and grants it again. No connection
 * survives a copy, so the numbers begin anew, at an unpredictable one, with each
 * connection. Ids from before the copy are a matter of {@link #renew()}. Thread-safe.
 */
final class AttemptIds {

	/* Short in the store, and enough for a billion attempts of thousands of copies. */
	private static final long RANGE = 1L << 48;

	private final Threads system;

	private volatile String instance;

	/**
	 * The last number of this connection; null while no connection is known to be open.
	 */
	private volatile @Nullable AtomicLong numbers;

	AttemptIds(String instance, Threads system) {
		this.instance = instance;
		this.system = system;
		connected();
	}

	static String newInstance(Threads system) {
		return Long.toUnsignedString(system.unpredictable(), Character.MAX_RADIX);
	}

	/* The id of this instance, to which messages of the store are addressed. */
	String instance() {
		return this.instance;
	}

	AttemptId next(Kind kind) {
		AtomicLong numbers = this.numbers;
		return new AttemptId(this.instance, (numbers != null) ? numbers.incrementAndGet() : unpredictable(), kind);
	}

	private long unpredictable() {
		return Math.floorMod(this.system.unpredictable(), RANGE);
	}

	/* Called before the next connection is used. */
	void disconnected() {
		this.numbers = null;
	}

	void connected() {
		this.numbers = new AtomicLong(unpredictable());
	}

	/* The numbers of this connection; null while no connection is known to be open. */
	@Nullable AtomicLong numbers() {
		return this.numbers;
	}

	/*
	 * The process may be one of several copies: all ids so far belong to the others, too.
	 */
	void renew() {
		this.instance = newInstance(this.system);
	}

	/* Whether the id may belong to another copy of this process, too. */
	boolean isForeign(AttemptId id) {
		return !id.instance().equals(this.instance);
	}

}
