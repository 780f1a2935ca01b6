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

package io.github.watchdoglock.redis.survey;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * What there is to know of locks in Redis to look for them. Immutable.
 *
 * @param prefix how the names of their keys start
 * @param roles whether to look for those of roles, and for no others
 * @param text the script that looks at one
 * @param digest its SHA-1
 * @param keys makes a lock of what is between the braces of a name
 * @param states makes a state of what the script says of a lock
 * @param failures says what has failed, and what helps, for people
 * @param denials whether the server lets nobody do that, or not this user
 */
public record SurveyTerms(String prefix, boolean roles, Supplier<byte[]> text, String digest,
		Function<String, LockKey> keys, BiFunction<LockKey, List<String>, List<LockState>> states,
		Function<Throwable, String> failures, Predicate<Throwable> denials) {

	/* No name of a lock has a percent sign that no two digits follow. */
	private static final String ROLE = "%role:";

	/* What a script says of a key that is no lock's, and Redis of one that is no text. */
	private static final List<String> NO_LOCK = List.of("no lock, delete it", "WRONGTYPE");

	/*
	 * All that begins and ends as names do; a prefix may have what patterns are made of.
	 */
	byte[] pattern() {
		return (this.prefix.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + ":{" + (this.roles ? ROLE : "") + "*}")
			.getBytes(StandardCharsets.UTF_8);
	}

	/* Null for what is no lock. */
	@Nullable LockKey lock(byte[] name) {
		String text = new String(name, StandardCharsets.UTF_8);
		String key = text.substring(this.prefix.length() + 2, text.length() - 1);
		if (key.startsWith(ROLE) != this.roles) {
			return null;
		}
		try {
			return this.keys.apply(key);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	static boolean isOfNoLock(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		return NO_LOCK.stream().anyMatch(message::contains)
				|| (failure.getCause() != null && isOfNoLock(failure.getCause()));
	}

}
