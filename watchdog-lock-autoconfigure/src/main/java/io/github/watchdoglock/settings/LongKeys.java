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

package io.github.watchdoglock.settings;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.github.watchdoglock.LockKey;

/**
 * Shortens long keys: an id of more than 256 bytes is replaced by its beginning and its
 * SHA-256. The result is itself longer than 256 bytes, so it differs from each id that is
 * not shortened. In messages, the key is displayed as before.
 */
final class LongKeys {

	private static final int MAX_BYTES = 256;

	/*
	 * Together with the 64 digits of the digest, the id is always longer than the
	 * maximum, even if a character at the end of the head was cut.
	 */
	private static final int HEAD_BYTES = 200;

	private LongKeys() {
	}

	static LockKey bounded(LockKey key) {
		String id = key.id();
		// In UTF-8, a char of the string takes at least one byte and at most three.
		if (id == null || id.length() <= MAX_BYTES / 3) {
			return key;
		}
		byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
		if (bytes.length <= MAX_BYTES) {
			return key;
		}
		int end = HEAD_BYTES;
		while ((bytes[end] & 0xC0) == 0x80) {
			end--;
		}
		String head = new String(bytes, 0, end, StandardCharsets.UTF_8);
		return LockKey.of(key.name(), head + "~" + HexFormat.of().formatHex(sha256(bytes)))
			.shownBy((bounded) -> String.valueOf(key.printableId()));
	}

	private static byte[] sha256(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
