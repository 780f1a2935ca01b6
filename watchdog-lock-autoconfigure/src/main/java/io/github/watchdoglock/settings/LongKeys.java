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
 * Bounds what a key costs: an id of more than 256 bytes is replaced by its head and its
 * SHA-256. The result is itself longer than 256 bytes, so it can be no other key's id. In
 * texts it stands as the key itself does.
 */
final class LongKeys {

	private static final int MAX_BYTES = 256;

	/*
	 * With the digest's 64 digits and a character cut in two: always above the maximum.
	 */
	private static final int HEAD_BYTES = 200;

	private LongKeys() {
	}

	static LockKey bounded(LockKey key) {
		String id = key.id();
		// A character is one byte at least and three at most.
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
