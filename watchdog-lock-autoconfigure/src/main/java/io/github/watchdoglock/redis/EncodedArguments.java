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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.github.watchdoglock.store.AttemptId;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;

/**
 * The arguments of a script as they are sent to Redis. They are encoded once, by the
 * thread that sends the command: Lettuce writes them later, and again after a redirection
 * in a cluster. So they never change after they were given to Lettuce.
 */
final class EncodedArguments extends CommandArgs<byte[], byte[]> {

	/* Enough for most commands with one key. */
	private static final int SIZE = 352;

	private final byte[] key;

	private byte[] bytes = new byte[SIZE];

	private int size;

	/** The number of arguments so far, the beginning of a script's among them. */
	private int added;

	/** How many of the bytes are the digest of the script. */
	private int digest;

	/**
	 * Begin the arguments of a script.
	 * @param script the script
	 * @param keys its keys; a cluster finds the node by the first one
	 */
	EncodedArguments(LockScript script, List<byte[]> keys) {
		super(ByteArrayCodec.INSTANCE);
		this.key = keys.get(0);
		this.digest = addWord(script.sha1()).size;
		add((long) keys.size());
		keys.forEach(this::add);
	}

	/**
	 * Begin the arguments of a command that runs no script.
	 * @param key its key
	 */
	EncodedArguments(byte[] key) {
		super(ByteArrayCodec.INSTANCE);
		this.key = key;
		add(key);
	}

	private EncodedArguments(EncodedArguments other, LockScript script) {
		super(ByteArrayCodec.INSTANCE);
		this.key = other.key;
		add(script.text()).write(other.bytes, other.digest, other.size - other.digest);
		this.added = other.added;
	}

	/* The same arguments with the source of the script, which Redis may not know. */
	EncodedArguments withSource(LockScript script) {
		return new EncodedArguments(this, script);
	}

	@Override
	public EncodedArguments add(byte[] argument) {
		begin(argument.length);
		write(argument, 0, argument.length);
		return end();
	}

	@Override
	public EncodedArguments add(String argument) {
		return add(argument.getBytes(StandardCharsets.UTF_8));
	}

	/* Add an ASCII string. */
	EncodedArguments addWord(String word) {
		begin(word.length());
		writeAscii(word);
		return end();
	}

	@Override
	public EncodedArguments add(long argument) {
		int length = length(argument, 10);
		begin(length);
		write(argument, length, 10);
		return end();
	}

	/* Add a number with leading zeros: scripts find fields by their positions. */
	EncodedArguments addDigits(long argument, int count) {
		begin(count);
		write(argument, count, 10);
		return end();
	}

	EncodedArguments add(AttemptId attempt) {
		begin(length(attempt));
		write(attempt);
		return end();
	}

	/* Add a token and the attempt that holds it, each with a blank after it. */
	EncodedArguments add(long token, int count, AttemptId attempt) {
		begin(count + 2 + length(attempt));
		write(token, count, 10);
		write(' ');
		write(attempt);
		write(' ');
		return end();
	}

	private void begin(int length) {
		// The argument, and what is before and after it.
		ensureRoom(length + 16);
		write('$');
		write(length, length(length, 10), 10);
		writeLineEnd();
	}

	private void ensureRoom(int more) {
		int needed = this.size + more;
		if (needed > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(needed, 2 * this.bytes.length));
		}
	}

	private EncodedArguments end() {
		writeLineEnd();
		this.added++;
		return this;
	}

	private void writeLineEnd() {
		write('\r');
		write('\n');
	}

	private void write(char ascii) {
		this.bytes[this.size++] = (byte) ascii;
	}

	private void write(byte[] source, int from, int length) {
		ensureRoom(length);
		System.arraycopy(source, from, this.bytes, this.size, length);
		this.size += length;
	}

	private void write(long number, int count, int radix) {
		long rest = number;
		for (int i = this.size + count - 1; i >= this.size; i--) {
			this.bytes[i] = (byte) Character.forDigit((int) (rest % radix), radix);
			rest /= radix;
		}
		this.size += count;
	}

	private void write(AttemptId attempt) {
		writeAscii(attempt.instance());
		write('.');
		write(attempt.number(), length(attempt.number(), Character.MAX_RADIX), Character.MAX_RADIX);
		writeAscii(attempt.kind().suffix());
	}

	private void writeAscii(String text) {
		for (int i = 0; i < text.length(); i++) {
			write(text.charAt(i));
		}
	}

	private static int length(AttemptId attempt) {
		return attempt.instance().length() + 1 + length(attempt.number(), Character.MAX_RADIX)
				+ attempt.kind().suffix().length();
	}

	private static int length(long number, int radix) {
		int length = 1;
		for (long rest = number / radix; rest > 0; rest /= radix) {
			length++;
		}
		return length;
	}

	@Override
	public int count() {
		return this.added;
	}

	@Override
	public ByteBuffer getFirstEncodedKey() {
		return ByteBuffer.wrap(this.key);
	}

	@Override
	public void encode(ByteBuf target) {
		target.writeBytes(this.bytes, 0, this.size);
	}

}
