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

package io.github.watchdoglock.spring;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Adds the lock under which work is done to the logging context of its thread, while the
 * work is done: {@code lock.name}, {@code lock.key} if the lock has an id, and
 * {@code lock.token}. Afterwards, the previous values are restored.
 */
public final class LockMdc implements Instrumentation {

	private static final String NAME = "lock.name";

	private static final String KEY = "lock.key";

	private static final String TOKEN = "lock.token";

	@Override
	public Runnable working(LockHandle handle) {
		String name = MDC.get(NAME);
		String key = MDC.get(KEY);
		String token = MDC.get(TOKEN);
		LockKey lock = handle.key();
		put(NAME, lock.printableName());
		put(KEY, lock.printableId());
		put(TOKEN, Long.toString(handle.fencingToken()));
		return () -> {
			put(NAME, name);
			put(KEY, key);
			put(TOKEN, token);
		};
	}

	private static void put(String key, @Nullable String value) {
		if (value != null) {
			MDC.put(key, value);
		}
		else {
			MDC.remove(key);
		}
	}

}
