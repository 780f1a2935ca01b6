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

package io.github.watchdoglock;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * A composite id, joined from several parts: see {@link LockKey#idOf(Object...)}.
 */
final class KeyParts {

	private KeyParts() {
	}

	static String join(@Nullable Object... parts) {
		if (parts.length == 0) {
			throw new LockKeyException(
					"A key of parts needs at least one part: without parts, all callers would share one lock");
		}
		return IntStream.range(0, parts.length)
			.mapToObj((i) -> text(parts[i], i + 1).replace("%", "%25").replace(":", "%3A"))
			.collect(Collectors.joining(":"));
	}

	private static String text(@Nullable Object part, int position) {
		Object content = (part instanceof Optional<?> optional) ? optional.orElse(null) : part;
		if (content == null) {
			throw refused(position, "null: all such callers would share one lock");
		}
		if (content instanceof Collection || content instanceof Map || content.getClass().isArray()) {
			throw refused(position, "a collection or an array: pass its elements as parts, in a fixed order");
		}
		String text = content.toString();
		if (text == null || text.isBlank()) {
			throw refused(position, "blank: all such callers would share one lock");
		}
		if (text.equals(content.getClass().getName() + "@" + Integer.toHexString(content.hashCode()))) {
			throw refused(position, "a " + content.getClass().getName()
					+ ", which does not override toString(): each object would be a lock of its own. Use one of its"
					+ " properties");
		}
		return text;
	}

	private static LockKeyException refused(int position, String why) {
		return new LockKeyException("Part " + position + " of a key is " + why);
	}

}
