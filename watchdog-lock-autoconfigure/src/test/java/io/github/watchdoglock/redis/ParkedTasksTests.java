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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.support.Concurrently;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no code of the library parks a thread in a task of a key: a virtual thread
 * would release its carrier in the middle of the task. The driver may park for a tenth of
 * a millisecond: for Lettuce's lock of a connection's writers, and the JDK's lock of a
 * selector.
 */
class ParkedTasksTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int CALLERS = 16;

	private static final int ROUNDS = 500;

	@Tag("slow")
	@Test
	void libraryCodeNeverParksThreadWithinTask(@TempDir Path directory) throws Exception {
		Path recorded = directory.resolve("parked.jfr");
		try (RedisInstance one = new RedisInstance(redis.port()).connected();
				RedisInstance other = new RedisInstance(redis.port()).connected();
				Recording recording = new Recording()) {
			// Loading classes and connecting may park threads.
			acquire(one, 0, 10);
			acquire(other, 0, 10);
			Stream.of("jdk.ThreadPark", "jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadSleep")
				.forEach((event) -> recording.enable(event).withThreshold(Duration.ZERO).withStackTrace());
			recording.start();
			Concurrently.run(CALLERS, (caller) -> acquire((caller % 2 == 0) ? one : other, caller, ROUNDS));
			recording.stop();
			recording.dump(recorded);
		}
		List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);
		assertThat(events).as("callers that wait for each other").isNotEmpty();
		assertThat(events).filteredOn(ParkedTasksTests::isInATask).isEmpty();
	}

	/* Every second lock is of a key that all callers want. */
	private static int acquire(RedisInstance instance, int caller, int rounds) throws InterruptedException {
		LockRequest hot = LockRequest.of("hot").withWaitTime(Duration.ofMinutes(1));
		LockRequest own = LockRequest.of("own", "" + caller);
		for (int i = 0; i < rounds; i++) {
			try (LockHandle handle = instance.engine().acquire((i % 2 == 0) ? hot : own)) {
				assertThat(handle.isHeld()).isTrue();
			}
		}
		return rounds;
	}

	private static boolean isInATask(RecordedEvent event) {
		List<RecordedMethod> methods = (event.getStackTrace() != null)
				? event.getStackTrace().getFrames().stream().map(RecordedFrame::getMethod).toList() : List.of();
		boolean drains = methods.stream()
			.anyMatch((method) -> method.getType().getName().endsWith(".engine.Mailbox")
					&& method.getName().equals("drain"));
		return drains && methods.stream()
			.map((method) -> method.getType().getName())
			.filter((type) -> !type.matches("(java|jdk|sun)\\..*"))
			.findFirst()
			.filter((type) -> type.startsWith("io.github.watchdoglock."))
			.isPresent();
	}

}
