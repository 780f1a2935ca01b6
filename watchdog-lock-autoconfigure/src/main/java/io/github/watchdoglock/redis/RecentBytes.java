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

package io.github.watchdoglock.redis;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The encoded forms of values that were used recently. Access needs no lock, because an
 * entry never changes and a lost one is created anew.
 *
 * @param <K> the type of the values
 */
final class RecentBytes<K> {

	/* Two to the power of ten. */
	private static final int SIZE = 1_024;

	private static final int UNUSED_BITS = Integer.SIZE - 10;

	/*
	 * The golden ratio: multiplied by it, the hashes of consecutive ids spread over all
	 * places.
	 */
	private static final int SPREAD = 0x9E3779B9;

	private final @Nullable Entry[] entries = new Entry[SIZE];

	private final Function<K, byte[]> encoding;

	RecentBytes(Function<K, byte[]> encoding) {
		this.encoding = encoding;
	}

	byte[] of(K value) {
		int index = (value.hashCode() * SPREAD) >>> UNUSED_BITS;
		Entry entry = this.entries[index];
		if (entry == null || !entry.value.equals(value)) {
			entry = new Entry(value, this.encoding.apply(value));
			this.entries[index] = entry;
		}
		return entry.bytes;
	}

	@SuppressWarnings("ArrayRecordComponent")
	private record Entry(Object value, byte[] bytes) {

	}

}
