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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;

import io.github.watchdoglock.benchmarks.lock.Competitor.Held;

/**
 * A check that no two callers are inside which exclude each other, and that tokens grow.
 * JVMs share it by mapping the same file; it does not rely on the lock that it checks.
 */
final class ExclusionCell {

	/* The maximum number of keys. */
	private static final int KEYS = 256;

	/* Keeps two cells off the same cache line. */
	private static final int BYTES = 64;

	private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final int TOKEN = Long.BYTES;

	private static final int LEFT_AT = 2 * Long.BYTES;

	private static final int LEFT_BY = 3 * Long.BYTES;

	private static final int WRITER_TOKEN = 4 * Long.BYTES;

	private final ByteBuffer buffer;

	/*
	 * The position of the holder inside; a number less than zero is the count of holders
	 * that share. The positions after it belong to the last holders.
	 */
	private final int owner;

	private ExclusionCell(ByteBuffer buffer, int owner) {
		this.buffer = buffer;
		this.owner = owner;
	}

	/* Return a cell for each key. The file is created if it does not exist. */
	static List<ExclusionCell> map(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			ByteBuffer buffer = channel.map(MapMode.READ_WRITE, 0, (long) KEYS * BYTES);
			return IntStream.range(0, KEYS).mapToObj((key) -> new ExclusionCell(buffer, key * BYTES)).toList();
		}
	}

	/* Clear the cell. No holder may be inside. */
	void clear() {
		for (int i = 0; i < BYTES; i++) {
			this.buffer.put(this.owner + i, (byte) 0);
		}
	}

	/*
	 * Enter with the lock held. The holder is positive and unique, the instance is
	 * positive; the token is the fencing token, and now is the time. Returns for how long
	 * no holder was inside if the last holder was in another instance, otherwise a
	 * negative number.
	 */
	long enter(int holder, int instance, long token, long now) {
		long other = (long) LONGS.compareAndExchange(this.buffer, this.owner, 0L, (long) holder);
		if (other != 0) {
			throw new ExclusionViolation(
					"Holder " + holder + " got the lock while " + describe(other) + " still inside");
		}
		if (token != Held.NO_TOKEN) {
			long last = (long) LONGS.getAndSet(this.buffer, this.owner + TOKEN, token);
			if (last >= token) {
				throw new ExclusionViolation("Holder " + holder + " got token " + token + " after token " + last);
			}
			LONGS.setVolatile(this.buffer, this.owner + WRITER_TOKEN, token);
		}
		long leftBy = (long) LONGS.getVolatile(this.buffer, this.owner + LEFT_BY);
		long leftAt = (long) LONGS.getVolatile(this.buffer, this.owner + LEFT_AT);
		return (leftBy == 0 || leftBy == instance) ? -1 : Math.max(0, now - leftAt);
	}

	/* Leave, with the lock still held. */
	void leave(int holder, int instance, long now) {
		LONGS.setVolatile(this.buffer, this.owner + LEFT_AT, now);
		LONGS.setVolatile(this.buffer, this.owner + LEFT_BY, (long) instance);
		long other = (long) LONGS.compareAndExchange(this.buffer, this.owner, (long) holder, 0L);
		if (other != holder) {
			throw new ExclusionViolation("Holder " + holder + " found holder " + other + " inside when it left");
		}
	}

	/*
	 * Enter together with other holders, up to a maximum. The token must be greater than
	 * that of the last exclusive holder.
	 */
	void join(int holder, long most, long token) {
		long inside = (long) LONGS.getVolatile(this.buffer, this.owner);
		while (true) {
			if (inside > 0 || -inside >= most) {
				throw new ExclusionViolation(
						"Holder " + holder + " got the lock while " + describe(inside) + " still inside");
			}
			long found = (long) LONGS.compareAndExchange(this.buffer, this.owner, inside, inside - 1);
			if (found == inside) {
				break;
			}
			inside = found;
		}
		if (token != Held.NO_TOKEN) {
			grow(holder, token);
		}
	}

	/* Writers compare their tokens with the greatest token of all. */
	private void grow(int holder, long token) {
		long writer = (long) LONGS.getVolatile(this.buffer, this.owner + WRITER_TOKEN);
		if (writer >= token) {
			throw new ExclusionViolation("Holder " + holder + " got token " + token + " after token " + writer);
		}
		long last = (long) LONGS.getVolatile(this.buffer, this.owner + TOKEN);
		while (last < token) {
			long found = (long) LONGS.compareAndExchange(this.buffer, this.owner + TOKEN, last, token);
			if (found == last) {
				return;
			}
			last = found;
		}
	}

	/* Leave the holders that stay, with the lock still held. */
	void part(int holder) {
		long inside = (long) LONGS.getAndAdd(this.buffer, this.owner, 1L);
		if (inside >= 0) {
			throw new ExclusionViolation("Holder " + holder + " was not inside when it left");
		}
	}

	private static String describe(long inside) {
		return (inside > 0) ? "holder " + inside + " was" : -inside + " others were";
	}

	/**
	 * The failure of a lock that did not exclude, or whose tokens did not grow: its
	 * numbers are worthless.
	 */
	static final class ExclusionViolation extends RuntimeException {

		private ExclusionViolation(String message) {
			super(message);
		}

	}

}
