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

package io.github.watchdoglock.benchmarks.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.github.watchdoglock.benchmarks.lock.Held;

/**
 * Checks that one at a time is inside, and that tokens grow. Shared by JVMs; does not
 * rely on the lock that it checks.
 */
public final class ExclusionCell {

	/** No two cells on one cache line. */
	static final int BYTES = 64;

	private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final int TOKEN = Long.BYTES;

	private static final int LEFT_AT = 2 * Long.BYTES;

	private static final int LEFT_BY = 3 * Long.BYTES;

	private final ByteBuffer buffer;

	private final int owner;

	ExclusionCell(ByteBuffer buffer, int owner) {
		this.buffer = buffer;
		this.owner = owner;
	}

	/**
	 * Enter, with the lock held.
	 * @param holder who, positive and unlike all others
	 * @param instance of which instance, positive
	 * @param token the fencing token, if there is one
	 * @param now the time
	 * @return how long nobody was inside if the last holder was in another instance, else
	 * a negative number
	 * @throws ExclusionViolation if somebody is inside, or the token is none that grows
	 */
	public long enter(int holder, int instance, long token, long now) {
		long other = (long) LONGS.compareAndExchange(this.buffer, this.owner, 0L, (long) holder);
		if (other != 0) {
			throw new ExclusionViolation(
					"Holder " + holder + " got the lock while holder " + other + " was still inside");
		}
		if (token != Held.NO_TOKEN) {
			long last = (long) LONGS.getAndSet(this.buffer, this.owner + TOKEN, token);
			if (last >= token) {
				throw new ExclusionViolation("Holder " + holder + " got token " + token + " after token " + last);
			}
		}
		long leftBy = (long) LONGS.getVolatile(this.buffer, this.owner + LEFT_BY);
		long leftAt = (long) LONGS.getVolatile(this.buffer, this.owner + LEFT_AT);
		return (leftBy == 0 || leftBy == instance) ? -1 : Math.max(0, now - leftAt);
	}

	/**
	 * Leave, with the lock still held.
	 * @param holder who
	 * @param instance of which instance
	 * @param now the time
	 * @throws ExclusionViolation if somebody else is inside
	 */
	public void leave(int holder, int instance, long now) {
		LONGS.setVolatile(this.buffer, this.owner + LEFT_AT, now);
		LONGS.setVolatile(this.buffer, this.owner + LEFT_BY, (long) instance);
		long other = (long) LONGS.compareAndExchange(this.buffer, this.owner, (long) holder, 0L);
		if (other != holder) {
			throw new ExclusionViolation("Holder " + holder + " found holder " + other + " inside when it left");
		}
	}

}
