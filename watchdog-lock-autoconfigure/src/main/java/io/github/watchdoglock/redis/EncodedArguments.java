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
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.watchdoglock.store.AttemptId;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a script as they are sent to Redis. They are encoded once, by the
 * thread that sends the command: Lettuce writes them later, and again after a redirection
 * in a cluster. So they never change after they were given to Lettuce.
 */
final class EncodedArguments extends CommandArgs<byte[], byte[]> {

	private static final Map<LockScript, byte[]> DIGESTS = encode(
			(script) -> script.sha1().getBytes(StandardCharsets.US_ASCII));

	private static final Map<LockScript, byte[]> SOURCES = encode(LockScript::text);

	/* Enough for most commands with one key. */
	private static final int SIZE = 320;

	/** Null for a command that runs no script. */
	private final @Nullable LockScript script;

	private final int keys;

	private final byte[] key;

	private byte[] bytes = new byte[SIZE];

	private int size;

	/** The number of keys and arguments so far. */
	private int added;

	/** Whether the source of the script is sent, and not its digest. */
	private final boolean source;

	/**
	 * Begin the arguments of a script. The keys must be added first.
	 * @param script the script
	 * @param keys the number of keys
	 * @param key one of the keys, by which a cluster finds the node
	 */
	EncodedArguments(LockScript script, int keys, byte[] key) {
		super(ByteArrayCodec.INSTANCE);
		this.script = script;
		this.keys = keys;
		this.key = key;
		this.source = false;
		add((long) keys);
		this.added = 0;
	}

	/**
	 * Begin the arguments of a command that runs no script.
	 * @param key its key, which must be added first
	 */
	EncodedArguments(byte[] key) {
		super(ByteArrayCodec.INSTANCE);
		this.script = null;
		this.keys = 1;
		this.key = key;
		this.source = false;
	}

	private EncodedArguments(EncodedArguments of) {
		super(ByteArrayCodec.INSTANCE);
		this.script = of.script;
		this.keys = of.keys;
		this.key = of.key;
		this.source = true;
		this.bytes = of.bytes;
		this.size = of.size;
		this.added = of.added;
	}

	/* The first argument for each script. */
	private static Map<LockScript, byte[]> encode(Function<LockScript, byte[]> argument) {
		Map<LockScript, byte[]> encoded = new EnumMap<>(LockScript.class);
		for (LockScript script : LockScript.values()) {
			encoded.put(script, new EncodedArguments(new byte[0]).add(argument.apply(script)).toBytes());
		}
		return encoded;
	}

	private byte[] toBytes() {
		return Arrays.copyOf(this.bytes, this.size);
	}

	/* The same arguments with the source of the script, which Redis may not know. */
	EncodedArguments withSource() {
		return new EncodedArguments(this);
	}

	int keys() {
		return this.keys;
	}

	@Override
	public EncodedArguments add(byte[] argument) {
		begin(argument.length);
		System.arraycopy(argument, 0, this.bytes, this.size, argument.length);
		this.size += argument.length;
		return end();
	}

	@Override
	public EncodedArguments add(String argument) {
		return add(argument.getBytes(StandardCharsets.UTF_8));
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
		int needed = this.size + length + 16;
		if (needed > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(needed, 2 * this.bytes.length));
		}
		write('$');
		write(length, length(length, 10), 10);
		writeLineEnd();
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
		// A script and the number of its keys come before.
		return ((this.script != null) ? 2 : 0) + this.added;
	}

	@Override
	public ByteBuffer getFirstEncodedKey() {
		return ByteBuffer.wrap(this.key);
	}

	@Override
	public void encode(ByteBuf target) {
		if (this.script != null) {
			target.writeBytes(Objects.requireNonNull((this.source ? SOURCES : DIGESTS).get(this.script)));
		}
		target.writeBytes(this.bytes, 0, this.size);
	}

	/* For debugging: keys and arguments as they are sent. */
	@Override
	public String toCommandString() {
		return new String(this.bytes, 0, this.size, StandardCharsets.UTF_8);
	}

}
