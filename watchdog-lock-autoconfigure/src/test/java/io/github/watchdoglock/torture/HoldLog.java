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

package io.github.watchdoglock.torture;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.LockKey;

/**
 * The log of an instance. A line that was written is there even if the instance is killed
 * immediately afterwards. Thread-safe.
 */
final class HoldLog {

	private final FileOutputStream file;

	private final AtomicLong holds = new AtomicLong();

	HoldLog(Path path) throws IOException {
		// Each line is appended with one system call.
		this.file = new FileOutputStream(path.toFile(), true);
	}

	long nextHold() {
		return this.holds.incrementAndGet();
	}

	void write(Object... words) {
		StringBuilder line = new StringBuilder();
		for (Object word : words) {
			line.append((line.length() > 0) ? " " : "").append(word);
		}
		try {
			this.file.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String name(LockKey key) {
		return key.name() + "/" + key.id();
	}

}
