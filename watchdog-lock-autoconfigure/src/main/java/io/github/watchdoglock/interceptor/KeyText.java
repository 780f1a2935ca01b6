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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Method;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The text that identifies a value in a key.
 */
final class KeyText {

	private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
		@Override
		protected Boolean computeValue(Class<?> type) {
			Method method = ReflectionUtils.findMethod(type, "toString");
			return method != null && method.getDeclaringClass() != Object.class;
		}
	};

	private KeyText() {
	}

	/**
	 * The text of a value.
	 * @param value the value; an Optional stands for what is in it
	 * @return the text, not blank
	 * @throws IllegalArgumentException if it has none, with the second half of a sentence
	 */
	static String of(@Nullable Object value) {
		Object content = ObjectUtils.unwrapOptional(value);
		if (content == null) {
			throw new IllegalArgumentException("is null: all such callers would share one lock");
		}
		if (content instanceof Collection || content.getClass().isArray()) {
			throw new IllegalArgumentException(ObjectUtils.isEmpty(content) ? "is empty: there is nothing to lock"
					: "is a collection or an array, which is not supported: several locks at once can't be taken yet");
		}
		if (!HAS_TEXT.get(content.getClass())) {
			throw new IllegalArgumentException("is a " + content.getClass().getName()
					+ ", which has no toString of its own: no two of them would be the same lock; use a property of it");
		}
		String text = content.toString();
		if (text == null || text.isBlank()) {
			throw new IllegalArgumentException("is blank: all such callers would share one lock");
		}
		return text;
	}

}
