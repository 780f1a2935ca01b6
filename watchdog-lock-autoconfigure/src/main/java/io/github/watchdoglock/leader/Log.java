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

package io.github.watchdoglock.leader;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A log that can't break what it tells of, whatever its handlers and the exceptions that
 * it is given do. Thread-safe; never throws.
 */
final class Log {

	private final Logger logger;

	Log(Class<?> type) {
		this.logger = System.getLogger(type.getName());
	}

	void say(Level level, Supplier<String> text) {
		say(level, text, null);
	}

	/* Of what can't be shown there is the type at least. */
	void say(Level level, Supplier<String> text, @Nullable Throwable thrown) {
		try {
			if (thrown == null) {
				this.logger.log(level, text);
			}
			else {
				this.logger.log(level, text, thrown);
			}
		}
		catch (Throwable ex) {
			try {
				this.logger.log(level, () -> text.get() + ((thrown != null) ? ": " + thrown.getClass().getName() : ""));
			}
			catch (Throwable again) {
				// There is nobody to be told.
			}
		}
	}

}
