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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchedHold}.
 */
class WatchedHoldTests {

	@TempDir
	private Path folder;

	/* As after a freeze between the two reads. */
	@Test
	void endedHoldIsNotLoggedWithLaterDeadline() throws IOException, InterruptedException {
		ManualTicker machine = new ManualTicker();
		Path file = this.folder.resolve("log");
		HoldLog log = new HoldLog(file);
		LockHandle handle = new Remaining(new FakeLockService().acquire(LockRequest.of("long", "k0")),
				List.of(Duration.ofMillis(10), Duration.ofMillis(20), Duration.ZERO).iterator());
		WatchedHold hold = Objects.requireNonNull(
				WatchedHold.begin(log, new SlowTicker(machine, 1, machine.read()), handle, true, Kind.EXCLUSIVE));
		assertThat(hold.look()).as("first look continues (line 57: look after the hold has ended)").isTrue();
		machine.advance(Duration.ofMillis(50));
		assertThat(hold.look()).isTrue();
		assertThat(Files.readAllLines(file)).extracting((line) -> line.split(" ", -1)[0])
			.containsExactly("begin", "seen");
	}

	private static final class Remaining extends HandleDecorator {

		private final Iterator<Duration> remaining;

		Remaining(LockHandle handle, Iterator<Duration> remaining) {
			super(handle);
			this.remaining = remaining;
		}

		@Override
		public Duration remaining() {
			return this.remaining.next();
		}

	}

}
