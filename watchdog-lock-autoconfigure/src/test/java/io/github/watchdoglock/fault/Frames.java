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

package io.github.watchdoglock.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits a stream into commands or answers of the Redis protocol, version two or three.
 * Other data is split into lines.
 *
 * @param in the stream
 * @param bytes whether it may be arbitrary bytes, which are not split by the protocol
 */
record Frames(InputStream in, boolean bytes) {

	/* The next complete frame, or null at the end. */
	byte[] next() throws IOException {
		if (this.bytes) {
			byte[] some = new byte[8_192];
			int length = this.in.read(some);
			return (length >= 0) ? Arrays.copyOf(some, length) : null;
		}
		ByteArrayOutputStream frame = new ByteArrayOutputStream();
		return copy(frame) ? frame.toByteArray() : null;
	}

	/*
	 * Whether Redis sends the frame on its own initiative, not as an answer to a command.
	 */
	static boolean isPush(byte[] frame) {
		return frame[0] == '>';
	}

	/* The words of a command. */
	static List<String> words(byte[] command) {
		String text = new String(command, StandardCharsets.UTF_8);
		if (command[0] != '*') {
			return List.of(text.strip().split(" ", -1));
		}
		List<String> words = new ArrayList<>();
		int at = lineEnd(command, 0);
		while (at < command.length) {
			int length = Integer.parseInt(text(command, at + 1, lineEnd(command, at) - 2));
			at = lineEnd(command, at);
			words.add(text(command, at, at + length));
			at += length + 2;
		}
		return words;
	}

	static byte[] command(List<String> words) {
		ByteArrayOutputStream frame = new ByteArrayOutputStream();
		frame.writeBytes(("*" + words.size() + "\r\n").getBytes(StandardCharsets.UTF_8));
		for (String word : words) {
			byte[] text = word.getBytes(StandardCharsets.UTF_8);
			frame.writeBytes(("$" + text.length + "\r\n").getBytes(StandardCharsets.UTF_8));
			frame.writeBytes(text);
			frame.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
		}
		return frame.toByteArray();
	}

	private static String text(byte[] bytes, int from, int to) {
		return new String(bytes, from, to - from, StandardCharsets.UTF_8);
	}

	private static int lineEnd(byte[] bytes, int from) {
		int at = from;
		while (bytes[at] != '\n') {
			at++;
		}
		return at + 1;
	}

	private boolean copy(ByteArrayOutputStream frame) throws IOException {
		StringBuilder line = new StringBuilder();
		int next = this.in.read();
		while (next >= 0 && next != '\n') {
			frame.write(next);
			line.append((char) next);
			next = this.in.read();
		}
		if (next < 0) {
			return false;
		}
		frame.write(next);
		return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
			case '$', '=', '!' -> copyText(frame, length(line));
			case '*', '~', '>' -> copyParts(frame, length(line));
			case '%' -> copyParts(frame, 2 * length(line));
			case '|' -> copyParts(frame, 2 * length(line) + 1);
			default -> true;
		};
	}

	private static int length(CharSequence line) {
		return Integer.parseInt(line.toString().substring(1).strip());
	}

	private boolean copyText(ByteArrayOutputStream frame, int length) throws IOException {
		if (length >= 0) {
			byte[] text = this.in.readNBytes(length + 2);
			frame.writeBytes(text);
			return text.length == length + 2;
		}
		return true;
	}

	private boolean copyParts(ByteArrayOutputStream frame, int parts) throws IOException {
		for (int i = 0; i < parts; i++) {
			if (!copy(frame)) {
				return false;
			}
		}
		return true;
	}

}
