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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.test.FakeLockService;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ForeignLocks}.
 */
class ForeignLocksTests {

	private static final LockKey REPORT = LockKey.of("report");

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockConfiguration JOB = job(Duration.ZERO);

	@AutoClose
	private final FakeLockService lockService = new FakeLockService();

	private final LockProvider provider = new ForeignLocks().lockProvider(this.lockService, LEASE);

	@Test
	void jobRunsOnceAtATimeInTheSameThreadToo() {
		SimpleLock lock = this.provider.lock(JOB).orElseThrow();
		assertThat(this.provider.lock(JOB)).isEmpty();
		lock.unlock();
		assertThat(this.provider.lock(JOB)).hasValueSatisfying(SimpleLock::unlock);
	}

	@Test
	void jobOfAnotherInstanceIsLeftOut() {
		List<String> runs = new CopyOnWriteArrayList<>();
		DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(this.provider);
		executor.executeWithLock((Runnable) () -> runs.add("mine"), JOB);
		LockHandle elsewhere = this.lockService.locks().holdElsewhere(REPORT);
		executor.executeWithLock((Runnable) () -> runs.add("not mine"), JOB);
		elsewhere.close();
		executor.executeWithLock((Runnable) () -> runs.add("mine again"), JOB);
		assertThat(runs).containsExactly("mine", "mine again");
	}

	@Test
	void jobThatIsQuickKeepsItsLockForAsLongAsItSays() {
		this.provider.lock(job(Duration.ofMinutes(1))).orElseThrow().unlock();
		assertThat(this.provider.lock(JOB)).isEmpty();
	}

	@Test
	void jobThatHangsHasAnEnd() throws InterruptedException {
		LockService asked = mock(LockService.class);
		given(asked.tryAcquire(any())).willReturn(Optional.empty());
		new ForeignLocks().lockProvider(asked, LEASE).lock(JOB);
		then(asked).should()
			.tryAcquire(LockRequest.of(REPORT)
				.withWaitTime(Duration.ZERO)
				.withLease(Lease.renewed(LEASE))
				.withMinHoldTime(Duration.ZERO)
				.withMaxHoldTime(Duration.ofHours(1)));
	}

	@Test
	void interruptIsNoJobOfAnotherInstance() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.provider.lock(JOB));
		assertThat(Thread.interrupted()).isTrue();
	}

	private static LockConfiguration job(Duration atLeast) {
		return new LockConfiguration(Instant.now(), "report", Duration.ofHours(1), atLeast);
	}

}
