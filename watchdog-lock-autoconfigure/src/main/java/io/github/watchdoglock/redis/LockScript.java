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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * The scripts, each loaded once, together with the files that it includes.
 */
enum LockScript {

	/** Acquires a key, or a place in its queue. */
	ACQUIRE,

	/** Renews leases, which last from now on. */
	RENEW,

	/** Ends everything that an attempt has. */
	RELEASE,

	/** Reads the state of a key. */
	FIND,

	/** Takes a key from its holders by force. */
	FORCE,

	/** Checks the server. */
	CHECK,

	/** Reads which replicas the server has. */
	REPLICATION,

	/** Reads the role of the server. */
	ROLE,

	/** Marks the server, or reads its mark. */
	MARK;

	/**
	 * The scripts of lock operations. The others are sent as source, which tests that
	 * command as well.
	 */
	static final Set<LockScript> VERBS = Collections
		.unmodifiableSet(EnumSet.complementOf(EnumSet.of(CHECK, REPLICATION, ROLE, MARK)));

	private final String text;

	private final String sha1;

	LockScript() {
		this.text = Pattern.compile("^ *-- include (\\S+)$", Pattern.MULTILINE)
			.matcher(read(word() + ".lua"))
			.replaceAll((include) -> Matcher.quoteReplacement(read(include.group(1))));
		this.sha1 = DigestUtils.sha1DigestAsHex(this.text);
	}

	/* The name of the command for people and meters. */
	String word() {
		return name().toLowerCase(Locale.ROOT);
	}

	/* Whether the answer is a list; otherwise it is a single string. */
	boolean answersList() {
		return this == RENEW || this == CHECK || this == REPLICATION;
	}

	byte[] text() {
		return this.text.getBytes(StandardCharsets.UTF_8);
	}

	String sha1() {
		return this.sha1;
	}

	private static String read(String name) {
		try {
			return new ClassPathResource(name, LockScript.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
