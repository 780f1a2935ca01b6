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

package io.github.watchdoglock.redis.key;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * An encoding of strings as printable ASCII without percent, braces and colon: each other
 * octet of their UTF-8 form becomes a percent sign and two digits. Different strings have
 * different codes, because keys of locks are well-formed.
 */
final class PercentCode {

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private static final String SPECIAL = "%{}:";

	private PercentCode() {
	}

	static String encode(String text) {
		byte[] octets = text.getBytes(StandardCharsets.UTF_8);
		StringBuilder code = new StringBuilder(octets.length);
		for (byte octet : octets) {
			if (octet >= ' ' && octet < 0x7F && SPECIAL.indexOf(octet) < 0) {
				code.append((char) octet);
			}
			else {
				code.append('%').append(HEX.toHexDigits(octet));
			}
		}
		return code.toString();
	}

	/* Throws an IllegalArgumentException if a percent sign has no digits. */
	static String decode(String code) {
		return URLDecoder.decode(code.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

}
