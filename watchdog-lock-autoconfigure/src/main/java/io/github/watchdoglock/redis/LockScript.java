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

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The scripts, each loaded once with the text that they share before its own.
 */
enum LockScript {

	/** Takes a key, or a place in its queue. */
	ACQUIRE,

	/** Makes leases last from now. */
	RENEW,

	/** Ends whatever an attempt has. */
	RELEASE,

	/** Looks at a key. */
	FIND,

	/** Takes a key from whoever has it. */
	FORCE;

	private final String text;

	private final String sha1;

	LockScript() {
		this.text = read("prelude") + read(word());
		this.sha1 = sha1(text());
	}

	/* As people and meters name the command. */
	String word() {
		return name().toLowerCase(Locale.ROOT);
	}

	byte[] text() {
		return this.text.getBytes(StandardCharsets.UTF_8);
	}

	String sha1() {
		return this.sha1;
	}

	private static String read(String name) {
		try (InputStream stream = LockScript.class.getResourceAsStream(name + ".lua")) {
			if (stream == null) {
				throw new IllegalStateException("Script '" + name + ".lua' is missing from the jar");
			}
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String sha1(byte[] text) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
