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

package io.github.watchdoglock.actuate;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * The ids of locks as the endpoint displays them.
 *
 * @param sanitizer hides them; it gets the name of a lock as the key of the value
 */
record ShownKeys(Sanitizer sanitizer) {

	/* Null if the key has no id. */
	@Nullable String id(LockKey key, boolean shown) {
		Object id = this.sanitizer.sanitize(new SanitizableData(null, key.name(), key.id()), shown);
		return (id != null) ? id.toString() : null;
	}

}
