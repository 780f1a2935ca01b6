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

package io.github.watchdoglock.snippets;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.test.AutoConfigureTestLocks;
import io.github.watchdoglock.test.TestLocks;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that {@link ForeignLocks} fulfils the contract of a {@link LockProvider}: the
 * scenarios of ShedLock's {@code AbstractLockProviderIntegrationTest}, which is not
 * published, and leases that end at {@code lockAtMostFor}.
 */
@SpringBootTest(classes = LockProviderContractTests.Application.class,
		properties = { "watchdog-lock.lease-time=2s", "watchdog-lock.min-lease-time=50ms" })
@AutoConfigureTestLocks
class LockProviderContractTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	@Autowired
	private LockProvider provider;

	@Autowired
	private LockService locks;

	@Autowired
	private TestLocks testLocks;

	@Test
	void keyIsHeldInStoreUntilUnlock() {
		SimpleLock lock = lock("job", LONG).orElseThrow();
		assertThat(isTaken("job")).isTrue();
		lock.unlock();
		assertThat(isTaken("job")).isFalse();
	}

	@Test
	void heldLockIsNotAcquiredAgain() {
		for (int i = 0; i < 10; i++) {
			SimpleLock lock = lock("job", LONG).orElseThrow();
			assertThat(lock("job", LONG)).isEmpty();
			lock.unlock();
		}
	}

	@Test
	void locksOfTwoNamesAreIndependent() {
		SimpleLock one = lock("job", LONG).orElseThrow();
		SimpleLock another = lock("another", LONG).orElseThrow();
		one.unlock();
		assertThat(isTaken("another")).isTrue();
		another.unlock();
	}

	@Test
	void lockThatIsNotUnlockedIsFreeAfterLockAtMostFor() throws InterruptedException {
		assertThat(lock("job", Duration.ofMillis(50))).isPresent();
		TimeUnit.MILLISECONDS.sleep(55);
		assertThat(isTaken("job")).isFalse();
		assertThat(lock("job", Duration.ofMillis(50))).hasValueSatisfying(SimpleLock::unlock);
	}

	/* A holder loses a fixed lease before the key is free. */
	@Test
	void fixedLeaseIsNotReleasedBeforeLockAtMostFor() {
		Duration most = Duration.ofSeconds(2);
		long begin = System.nanoTime();
		SimpleLock hung = lock("job", most).orElseThrow();
		await().pollInterval(Duration.ofMillis(2)).until(() -> !isTaken("job"));
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(most);
		// Until here it is not considered abandoned.
		hung.unlock();
	}

	/* The last renewal was confirmed just before. */
	@Test
	void renewedLockIsFreeAfterLockAtMostFor() throws InterruptedException {
		SimpleLock hung = lock("job", Duration.ofMillis(2100)).orElseThrow();
		TimeUnit.MILLISECONDS.sleep(1900);
		assertThat(isTaken("job")).isTrue();
		TimeUnit.MILLISECONDS.sleep(500);
		assertThat(isTaken("job")).as("key is free after lockAtMostFor").isFalse();
		SimpleLock next = lock("job", LONG).orElseThrow();
		hung.unlock();
		assertThat(isTaken("job")).as("late unlock leaves the lock of the next holder").isTrue();
		next.unlock();
	}

	@Test
	void lockIsKeptForLockAtLeastFor() throws InterruptedException {
		this.provider.lock(new LockConfiguration(Instant.now(), "job", Duration.ofSeconds(2), Duration.ofSeconds(1)))
			.orElseThrow()
			.unlock();
		assertThat(lock("job", LONG)).isEmpty();
		TimeUnit.MILLISECONDS.sleep(1050);
		assertThat(lock("job", LONG)).hasValueSatisfying(SimpleLock::unlock);
	}

	@Test
	void jobIsSkippedWhileOtherInstanceHoldsLock() {
		List<String> runs = new ArrayList<>();
		LockConfiguration job = new LockConfiguration(Instant.now(), "job", LONG, Duration.ZERO);
		DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(this.provider);
		executor.executeWithLock((Runnable) () -> runs.add("mine"), job);
		LockHandle elsewhere = this.testLocks.holdElsewhere(LockKey.of("job"));
		executor.executeWithLock((Runnable) () -> runs.add("not mine"), job);
		elsewhere.close();
		executor.executeWithLock((Runnable) () -> runs.add("mine again"), job);
		assertThat(runs).containsExactly("mine", "mine again");
	}

	@Test
	void interruptIsThrownInsteadOfSkippingJob() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> lock("job", LONG));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void concurrentThreadsUnderLockLoseNoUpdate() {
		int[] counters = new int[2];
		List<CompletableFuture<Void>> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			int mine = i % counters.length;
			threads.add(CompletableFuture.runAsync(() -> count(counters, mine), (task) -> new Thread(task).start()));
		}
		threads.forEach(CompletableFuture::join);
		assertThat(counters).containsExactly(200, 200);
	}

	private void count(int[] counters, int mine) {
		int done = 0;
		while (done < 50) {
			Optional<SimpleLock> lock = lock("counter-" + mine, LONG);
			if (lock.isPresent()) {
				int before = counters[mine];
				LockSupport.parkNanos(10_000);
				counters[mine] = before + 1;
				lock.get().unlock();
				done++;
			}
		}
	}

	private Optional<SimpleLock> lock(String name, Duration atMost) {
		return this.provider.lock(new LockConfiguration(Instant.now(), name, atMost, Duration.ZERO));
	}

	private boolean isTaken(String name) {
		return this.locks.find(LockKey.of(name)).isPresent();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ForeignLocks.class)
	static class Application {

	}

}
