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

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.watchdoglock.store.AttemptId.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The ids of attempts, which must be unique even if the process is copied: the store
 * takes a command with a known id for a repetition, and grants it again. No connection
 * survives a copy, so the numbers begin anew, at an unpredictable one, with each
 * connection. Ids from before the copy are a matter of {@link #renew()}. Thread-safe.
 */
public final class AttemptIds {

	/*
	 * Short in the store. Two copies would have to use the same number for the same key
	 * at the same time.
	 */
	private static final long RANGE = 1L << 36;

	private static final long INSTANCES = 1L << 46;

	private final LongSupplier unpredictable;

	private volatile String instance;

	/** The last number of this connection; null while none is known to be open. */
	private volatile @Nullable AtomicLong numbers;

	/**
	 * Create the ids of an instance whose connection is open.
	 * @param instance its id, without dots and slashes
	 * @param unpredictable returns numbers that no copy of this process gets
	 */
	public AttemptIds(String instance, LongSupplier unpredictable) {
		this.instance = instance;
		this.unpredictable = unpredictable;
		connected();
	}

	/**
	 * Return the id of this instance, to which messages of the store are addressed.
	 * @return the id, without dots and slashes
	 */
	public String instance() {
		return this.instance;
	}

	/**
	 * Return the id of a new attempt.
	 * @param kind the kind in which it requests its key
	 * @return the id
	 */
	public AttemptId next(Kind kind) {
		AtomicLong numbers = this.numbers;
		return new AttemptId(this.instance, (numbers != null) ? numbers.incrementAndGet() : number(), kind);
	}

	private long number() {
		return Math.floorMod(this.unpredictable.getAsLong(), RANGE);
	}

	/** A connection was lost; called before the next one is used. */
	public void disconnected() {
		this.numbers = null;
	}

	/** A connection was opened. */
	public void connected() {
		this.numbers = new AtomicLong(number());
	}

	/**
	 * The process may be one of several copies: all ids so far belong to the others, too.
	 * The instance gets a new id.
	 */
	public void renew() {
		this.instance = newInstance(this.unpredictable);
	}

	/**
	 * Return the id of a new instance.
	 * @param unpredictable returns numbers that no copy of this process gets
	 * @return the id, without dots and slashes
	 */
	public static String newInstance(LongSupplier unpredictable) {
		return Long.toString(Math.floorMod(unpredictable.getAsLong(), INSTANCES), Character.MAX_RADIX);
	}

	/**
	 * Return whether an id may belong to another copy of this process, too.
	 * @param id an id that this object has returned
	 * @return whether the process was restored since
	 */
	public boolean isForeign(AttemptId id) {
		return !id.instance().equals(this.instance);
	}

}
