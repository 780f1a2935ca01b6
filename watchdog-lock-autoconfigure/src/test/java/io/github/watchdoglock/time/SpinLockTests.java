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

package io.github.watchdoglock.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SpinLockTests {

	private final SpinLock lock = new SpinLock();

	private int count;

	@Test
	void oneThreadAtATimeHasIt() {
		List<CompletableFuture<?>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			all.add(CompletableFuture.runAsync(() -> {
				for (int j = 0; j < 20_000; j++) {
					this.lock.lock();
					this.count++;
					this.lock.unlock();
				}
			}, (task) -> new Thread(task).start()));
		}
		all.forEach((each) -> assertThat(each).succeedsWithin(Duration.ofSeconds(30)));
		assertThat(this.count).isEqualTo(160_000);
	}

	@Test
	void whoFindsItTakenGetsItWhenItIsFree() {
		this.lock.lock();
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
			this.lock.lock();
			this.lock.unlock();
		}, (task) -> new Thread(task).start());
		assertThat(other).failsWithin(Duration.ofMillis(50));
		this.lock.unlock();
		assertThat(other).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void manyWhoFindItTakenAllGetItWhenItIsFree() {
		List<CompletableFuture<?>> all = new ArrayList<>();
		this.lock.lock();
		for (int i = 0; i < 300; i++) {
			int priority = (i % 100 == 0) ? Thread.MAX_PRIORITY : Thread.NORM_PRIORITY;
			all.add(CompletableFuture.runAsync(() -> {
				this.lock.lock();
				this.count++;
				this.lock.unlock();
			}, (task) -> start(task, priority)));
		}
		assertThat(CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))).failsWithin(Duration.ofMillis(50));
		this.lock.unlock();
		all.forEach((each) -> assertThat(each).succeedsWithin(Duration.ofSeconds(30)));
		assertThat(this.count).isEqualTo(300);
	}

	@SuppressWarnings("ThreadPriorityCheck")
	private static void start(Runnable task, int priority) {
		Thread thread = new Thread(task);
		thread.setPriority(priority);
		thread.start();
	}

	@Test
	void onlyWhoHasItGivesItBack() throws Exception {
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
		CompletableFuture.runAsync(this.lock::lock, (task) -> new Thread(task).start()).get(5, TimeUnit.SECONDS);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock);
	}

	@Test
	void whoHasItDoesNotWaitForItself() {
		this.lock.lock();
		assertThatIllegalStateException().isThrownBy(this.lock::lock);
	}

}
