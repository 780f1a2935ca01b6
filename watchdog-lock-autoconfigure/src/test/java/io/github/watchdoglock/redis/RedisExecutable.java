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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;

import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * The server that tests start: what {@code -Dredis.executable} or the environment names,
 * else the embedded one.
 */
public final class RedisExecutable {

	private static @Nullable File embedded;

	private RedisExecutable() {
	}

	/**
	 * Where it is.
	 * @return a file that can be executed
	 */
	public static synchronized File file() {
		String named = System.getProperty("redis.executable", System.getenv("EMBEDDED_REDIS_EXECUTABLE"));
		if (named != null) {
			return new File(named);
		}
		if (embedded == null) {
			try {
				embedded = ExecutableProvider.newJarResourceProvider().get();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return embedded;
	}

}
