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

import java.util.Arrays;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code SET key record IFEQ record GET PX ttl}, which Redis 8.4 and Valkey
 * 8.1 execute. It ends a lease if its record is unchanged, because the record of a
 * released key differs from that of a held key in its TTL only.
 *
 * @param record the expected record
 * @param ttl the TTL of a released key, in milliseconds
 */
@SuppressWarnings("ArrayRecordComponent")
record SetIfEqual(byte[] record, long ttl) {

	CommandArgs<byte[], byte[]> arguments(byte[] key) {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key)
			.addValue(this.record)
			.add("IFEQ")
			.addValue(this.record)
			.add("GET")
			.add("PX")
			.add(this.ttl);
	}

	/* Whether the command has taken effect, by what it has answered. */
	boolean isEqual(@Nullable Object before) {
		return before instanceof byte[] bytes && Arrays.equals(bytes, this.record);
	}

}
