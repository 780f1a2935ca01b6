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

package io.github.watchdoglock.interceptor.key;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import io.github.watchdoglock.text.KeyParts;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The string that identifies a value in a key.
 */
final class KeyText {

	private static final int MAX_ELEMENTS = 64;

	private KeyText() {
	}

	/**
	 * Return the strings of a value: those of its elements, if it is a collection or an
	 * array.
	 * @param value the value; an Optional is replaced by its value
	 * @return the strings, none blank, without duplicates
	 * @throws IllegalArgumentException if it has no valid string, with the second half of
	 * a sentence as its message
	 */
	static List<String> allOf(@Nullable Object value) {
		Object content = ObjectUtils.unwrapOptional(value);
		if (content == null || !isSeveral(content)) {
			return List.of(of(content, ""));
		}
		// An array such as byte[] is more likely meant as one value than as several.
		if (content.getClass().isArray() && content.getClass().getComponentType().isPrimitive()) {
			throw new IllegalArgumentException("is a " + content.getClass().getSimpleName()
					+ ", and each of its elements would be a lock of its own. Use a string, or a List if that"
					+ " is intended");
		}
		Collection<?> elements = (content instanceof Collection<?> collection) ? collection
				: Arrays.asList(ObjectUtils.toObjectArray(content));
		if (elements.isEmpty()) {
			throw new IllegalArgumentException("is empty: there is nothing to lock");
		}
		if (elements.size() > MAX_ELEMENTS) {
			throw new IllegalArgumentException("has " + elements.size() + " elements, and may have at most "
					+ MAX_ELEMENTS + ", because each is a lock of its own. Use a key that they have in common");
		}
		return elements.stream().map((element) -> of(element, "has an element that ")).distinct().toList();
	}

	private static String of(@Nullable Object value, String subject) {
		Object content = ObjectUtils.unwrapOptional(value);
		if (content != null && isSeveral(content)) {
			throw new IllegalArgumentException(
					subject + "is a collection or an array itself. Use one flat list of all elements");
		}
		return KeyParts.of(content, subject);
	}

	private static boolean isSeveral(Object content) {
		return content instanceof Collection || content.getClass().isArray();
	}

}
