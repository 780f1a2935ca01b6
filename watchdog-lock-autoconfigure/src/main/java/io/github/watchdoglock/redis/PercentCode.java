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

import java.util.HexFormat;

/**
 * Text as printable ASCII without percent, braces and colon. Different texts have
 * different codes, ill-formed ones too: UTF-8 is spelled out here because Java's encoder
 * makes one question mark of every lone surrogate.
 */
final class PercentCode {

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	/* Bits of a continuation byte. */
	private static final int PAYLOAD = 6;

	private static final int PAYLOAD_MASK = 0x3F;

	private PercentCode() {
	}

	static String encode(String text) {
		return isPlain(text) ? text : encodeAll(text);
	}

	/* As almost all are. */
	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (!isPlain(text.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	private static String encodeAll(String text) {
		StringBuilder code = new StringBuilder(text.length() + 8);
		for (int i = 0; i < text.length();) {
			int point = text.codePointAt(i);
			if (isPlain(point)) {
				code.append((char) point);
			}
			else {
				append(code, point);
			}
			i += Character.charCount(point);
		}
		return code.toString();
	}

	static String decode(String code) {
		StringBuilder text = new StringBuilder(code.length());
		for (int i = 0; i < code.length();) {
			if (code.charAt(i) != '%') {
				text.append(code.charAt(i++));
				continue;
			}
			int first = octet(code, i);
			int length = length(first);
			int point = (length == 1) ? first : first & (0x7F >> length);
			for (int k = 1; k < length; k++) {
				point = (point << PAYLOAD) | (octet(code, i + 3 * k) & PAYLOAD_MASK);
			}
			text.appendCodePoint(point);
			i += 3 * length;
		}
		return text.toString();
	}

	private static boolean isPlain(int point) {
		return point >= ' ' && point < 0x7F && point != '%' && point != '{' && point != '}' && point != ':';
	}

	private static void append(StringBuilder code, int point) {
		if (point < 0x80) {
			octet(code, point);
			return;
		}
		int length = (point < 0x800) ? 2 : (point < 0x10000) ? 3 : 4;
		octet(code, ((0xF00 >> length) & 0xFF) | (point >> (PAYLOAD * (length - 1))));
		for (int k = length - 2; k >= 0; k--) {
			octet(code, 0x80 | ((point >> (PAYLOAD * k)) & PAYLOAD_MASK));
		}
	}

	private static void octet(StringBuilder code, int value) {
		code.append('%').append(HEX.toHexDigits((byte) value));
	}

	private static int octet(String code, int percent) {
		if (percent + 3 > code.length() || code.charAt(percent) != '%') {
			throw new IllegalArgumentException("This is no code of a text");
		}
		return HexFormat.fromHexDigits(code, percent + 1, percent + 3);
	}

	private static int length(int first) {
		return (first < 0x80) ? 1 : (first < 0xE0) ? 2 : (first < 0xF0) ? 3 : 4;
	}

}
