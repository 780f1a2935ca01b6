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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ElectionContext} and {@link SerialTasks} if a thread or a task fails.
 */
class ElectionContextTests {

	private final List<String> done = new ArrayList<>();

	private final List<Runnable> delayed = new ArrayList<>();

	@Test
	void taskIsDelayedByOneSecondWhenThreadCannotStart() {
		Threads threads = new Threads() {

			@Override
			public Thread start(String name, Runnable work) {
				throw new OutOfMemoryError("on purpose");
			}

		};
		ElectionContext context = new ElectionContext(Mockito.mock(RoleLocks.class), threads, (delay, task) -> {
			assertThat(delay).isEqualTo(Duration.ofSeconds(1));
			this.delayed.add(task);
			return () -> this.delayed.remove(task);
		}, null, List.of(), new SerialTasks(Runnable::run, (failure) -> {
		}));
		context.start("work", () -> this.done.add("work"));
		assertThat(this.done).isEmpty();
		this.delayed.forEach(Runnable::run);
		assertThat(this.done).containsExactly("work");
	}

	@Test
	void nextTaskRunsWhenFailureHandlerThrows() {
		SerialTasks tasks = new SerialTasks(Runnable::run, (failure) -> {
			throw new IllegalStateException("on purpose", failure);
		});
		tasks.execute(() -> {
			throw new LinkageError("on purpose");
		});
		tasks.execute(() -> this.done.add("next"));
		assertThat(this.done).containsExactly("next");
		assertThat(tasks.size()).isZero();
	}

}
