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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SpinLockTests {

	private final SpinLock lock = SpinLock.outermost();

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
	private static Thread start(Runnable task, int priority) {
		Thread thread = new Thread(task);
		thread.setPriority(priority);
		thread.start();
		return thread;
	}

	/* On Java 17 a platform thread. */
	private static Thread startVirtual(Runnable task) throws Exception {
		if (Runtime.version().feature() < 21) {
			return start(task, Thread.NORM_PRIORITY);
		}
		return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static TimerWheel.Alarm alarm() {
		return new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
			}

		};
	}

	@Test
	void aThreadNeverParksUnderTheLockOfAStep() throws Exception {
		TimerWheel wheel = new TimerWheel(0);
		wheel.set(alarm(), 0);
		wheel.set(alarm(), 0);
		CountDownLatch drained = new CountDownLatch(1);
		// The wheel's lock is taken until the list lets go of it.
		List<TimerWheel.Alarm> due = new ArrayList<>() {
			@Override
			public boolean add(TimerWheel.Alarm alarm) {
				return await(drained);
			}
		};
		Thread owner = start(() -> wheel.drain(TimerWheel.TICK, due), Thread.NORM_PRIORITY);
		Awaitility.await().until(() -> owner.getState() == Thread.State.TIMED_WAITING);
		AtomicBoolean within = new AtomicBoolean();
		Thread step = startVirtual(() -> {
			this.lock.lock();
			within.set(true);
			wheel.set(alarm(), 0);
			this.lock.unlock();
		});
		Awaitility.await().untilTrue(within);
		for (long end = System.nanoTime() + 100_000_000; System.nanoTime() < end;) {
			assertThat(step.getState()).isEqualTo(Thread.State.RUNNABLE);
		}
		drained.countDown();
		step.join(5_000);
		assertThat(step.isAlive()).isFalse();
	}

	@Test
	void interruptedThreadsThatWaitLetOthersRun() throws Exception {
		this.lock.lock();
		List<Thread> interrupted = new ArrayList<>();
		for (int i = 0; i < 16 * Runtime.getRuntime().availableProcessors(); i++) {
			interrupted.add(startVirtual(() -> {
				Thread.currentThread().interrupt();
				this.lock.lock();
				this.count += Thread.currentThread().isInterrupted() ? 1 : 0;
				this.lock.unlock();
			}));
		}
		CountDownLatch ran = new CountDownLatch(20);
		for (int i = 0; i < 20; i++) {
			startVirtual(ran::countDown);
		}
		boolean othersRan = ran.await(5, TimeUnit.SECONDS);
		this.lock.unlock();
		assertThat(othersRan).isTrue();
		for (Thread thread : interrupted) {
			thread.join(5_000);
		}
		assertThat(this.count).isEqualTo(interrupted.size());
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
