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

package io.github.watchdoglock.text;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The parts of keys, as strings that identify them.
 */
public final class KeyParts {

	private KeyParts() {
	}

	/**
	 * Return the strings of several parts as one string, with {@code %} and {@code :}
	 * percent-encoded, joined by {@code :}.
	 * @param parts the parts; an Optional is replaced by its value
	 * @return the string
	 * @throws IllegalArgumentException if there is no part, or if one has no valid string
	 */
	public static String join(@Nullable Object... parts) {
		if (parts.length == 0) {
			throw new IllegalArgumentException(
					"A key of parts needs at least one part: without parts, all callers would share one lock");
		}
		return IntStream.range(0, parts.length)
			.mapToObj((i) -> single(parts[i], "Part " + (i + 1) + " of a key ").replace("%", "%25").replace(":", "%3A"))
			.collect(Collectors.joining(":"));
	}

	private static String single(@Nullable Object part, String subject) {
		Object content = (part instanceof Optional<?> optional) ? optional.orElse(null) : part;
		if (content != null
				&& (content instanceof Collection || content instanceof Map || content.getClass().isArray())) {
			throw new IllegalArgumentException(
					subject + "is a collection or an array: pass its elements as parts, in a fixed order");
		}
		return of(content, subject);
	}

	/**
	 * Return the string of an object.
	 * @param content the object
	 * @param subject the beginning of the message of an exception
	 * @return its string, not blank
	 * @throws IllegalArgumentException if it has no string that identifies it
	 */
	public static String of(@Nullable Object content, String subject) {
		if (content == null) {
			throw new IllegalArgumentException(subject + "is null: all such callers would share one lock");
		}
		String text = content.toString();
		if (text == null || text.isBlank()) {
			throw new IllegalArgumentException(subject + "is blank: all such callers would share one lock");
		}
		// That of Object.toString(): a native image does not know who declares the
		// method.
		if (text.equals(content.getClass().getName() + "@" + Integer.toHexString(content.hashCode()))) {
			throw new IllegalArgumentException(subject + "is a " + content.getClass().getName()
					+ ", which does not override toString(): each object would be a lock of its own. Use one of its"
					+ " properties");
		}
		return text;
	}

}
