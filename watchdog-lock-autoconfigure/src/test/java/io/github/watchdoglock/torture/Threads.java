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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.LockUpgradeException;

/**
 * The threads of an instance that acquire locks in all available ways.
 */
final class Threads {

	/* Waits of at least this length are recorded; shorter ones prove nothing. */
	private static final long LONG_WAIT = TimeUnit.MILLISECONDS.toNanos(500);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

	/* Between two looks at a lock that may be lost for a moment only. */
	private static final long SHORT_PAUSE = TimeUnit.MICROSECONDS.toNanos(50);

	private static final int FRAMES = 12;

	private static final long BACK_OFF = TimeUnit.MILLISECONDS.toNanos(20);

	private final Instance instance;

	private final Workload workload;

	private final Leaders leaders;

	private final long seed;

	private final List<Thread> threads = new ArrayList<>();

	private final ConcurrentHashMap<String, AtomicLong> counts = new ConcurrentHashMap<>();

	private final ScheduledExecutorService interrupting = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	});

	private volatile boolean running = true;

	Threads(Instance instance, Workload workload, long seed) {
		this.instance = instance;
		this.workload = workload;
		this.leaders = new Leaders(instance, workload.roles());
		this.seed = seed;
	}

	void start() {
		start(this.workload.holders(), this::holdForLong);
		start(this.workload.workers(), this::holdShortly);
		start(this.workload.quitters(), this::quit);
		start(this.workload.grabbers(), this::grab);
		start(1, (random) -> noticeStalls());
		if (this.workload.roles() > 0) {
			this.leaders.start();
			start(1, this.leaders::resign);
		}
	}

	private void start(int count, Cycle cycle) {
		for (int i = 0; i < count; i++) {
			Random random = new Random(this.seed + this.threads.size());
			Thread thread = new Thread(() -> repeat(cycle, random), "torture-" + this.threads.size());
			thread.setDaemon(true);
			this.threads.add(thread);
			thread.start();
		}
	}

	void stop() throws Exception {
		this.running = false;
		this.leaders.stop();
		this.threads.forEach(Thread::interrupt);
		for (Thread thread : this.threads) {
			thread.join(TimeUnit.SECONDS.toMillis(10));
		}
		this.counts.forEach((name, count) -> this.instance.log.write("count", name, count));
	}

	private void count(String name) {
		this.counts.computeIfAbsent(name, (key) -> new AtomicLong()).incrementAndGet();
	}

	private void repeat(Cycle cycle, Random random) {
		while (this.running) {
			try {
				cycle.run(random);
			}
			catch (InterruptedException | LockInterruptedException ex) {
				count("interrupted");
			}
			catch (LockNotAcquiredException ex) {
				count("not-acquired");
			}
			catch (LockLostException ex) {
				count("lost-at-re-entry");
			}
			catch (LockStoreException ex) {
				count("store-failed");
				backOff();
			}
			catch (LockServiceClosedException ex) {
				return;
			}
			catch (Throwable ex) {
				this.instance.log.write("error", ex, where(ex));
			}
			var unused = Thread.interrupted();
		}
	}

	/* On one line, as all entries of the log. */
	private static String where(Throwable ex) {
		return Arrays.stream(ex.getStackTrace())
			.limit(FRAMES)
			.map(StackTraceElement::toString)
			.collect(Collectors.joining(" < "));
	}

	/*
	 * Park repeatedly, because a caller that was rejected on its own thread may have a
	 * permit left.
	 */
	static void backOff() {
		long end = System.nanoTime() + BACK_OFF;
		while (System.nanoTime() - end < 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

	private void holdForLong(Random random) throws InterruptedException {
		Lease lease = Workload.any(this.workload.leases(), random);
		LockRequest request = longRequest(random).withLease(lease);
		long length = (long) (lease.duration().toNanos() * Workload.any(this.workload.lengths(), random));
		LockHandle handle = acquire(request);
		try {
			watch(handle, request, length, random.nextDouble() < this.workload.stubborn());
		}
		finally {
			handle.close();
		}
	}

	private LockRequest longRequest(Random random) {
		return this.workload.longRequest(random).withWaitTime(Duration.ofSeconds(10));
	}

	private WatchedHold begin(LockHandle handle, LockRequest request) {
		Lease lease = Objects.requireNonNull(request.lease());
		return this.instance.watch(handle, lease.renewed(), Sharing.kindOf(request));
	}

	private void watch(LockHandle handle, LockRequest request, long length, boolean stubborn) {
		WatchedHold hold = begin(handle, request);
		if (hold == null) {
			count("late");
			return;
		}
		long until = System.nanoTime() + length;
		while (this.running && System.nanoTime() - until < 0) {
			// Stubborn holders continue to look at locks that they have lost.
			if (!hold.look() && !stubborn) {
				break;
			}
			LockSupport.parkNanos((this.workload.stubborn() == 1) ? SHORT_PAUSE : PAUSE);
		}
		hold.close();
	}

	/* Acquire, and record a long wait. */
	private LockHandle acquire(LockRequest request) throws InterruptedException {
		long from = System.nanoTime();
		try {
			return this.instance.engine.acquire(request);
		}
		finally {
			long to = System.nanoTime();
			if (to - from > LONG_WAIT) {
				this.instance.log.write("wait", HoldLog.name(request.key()), from, to,
						Sharing.word(Sharing.kindOf(request)));
			}
		}
	}

	private void holdShortly(Random random) throws Exception {
		LockRequest request = this.workload.shortRequest(random)
			.withLease(Workload.any(this.workload.leases(), random))
			.withWaitTime(Duration.ofMillis(300 + random.nextInt(5_000)));
		int kind = random.nextInt(1_000);
		if (kind < 200) {
			tryOnce(request, random);
		}
		else if (kind < 300) {
			acquireAsync(request, random);
		}
		else if (kind < 330) {
			interruptSoon(random);
			hold(acquire(request), request, random);
		}
		else if (kind < 332) {
			abandon(request);
		}
		else {
			hold(acquire(request), request, random);
		}
	}

	private void hold(LockHandle handle, LockRequest request, Random random) throws InterruptedException {
		try {
			WatchedHold hold = begin(handle, request);
			if (hold == null) {
				count("late");
				return;
			}
			try {
				if (random.nextInt(10) == 0) {
					reenter(handle, request, random);
				}
				if (request.mode() == LockMode.READ && random.nextInt(20) == 0) {
					upgrade(handle);
				}
				if (random.nextInt(20) == 0) {
					LockSupport.parkNanos(random.nextInt(20) * PAUSE / 2);
				}
			}
			finally {
				// Also if a re-entry needs the store, and that fails.
				hold.close();
			}
		}
		finally {
			handle.close();
		}
	}

	private void reenter(LockHandle handle, LockRequest request, Random random) throws InterruptedException {
		try (LockHandle inner = this.instance.engine.acquire(Sharing.again(request, random))) {
			count("re-entered");
			if (inner.fencingToken() != handle.fencingToken()) {
				this.instance.log.write("error", "re-entry", handle.fencingToken(), inner.fencingToken());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (LockLostException ex) {
			count("lost-at-re-entry");
		}
	}

	/*
	 * A reader cannot become a writer: two readers that wait for each other would
	 * deadlock.
	 */
	private void upgrade(LockHandle handle) throws InterruptedException {
		try (LockHandle writing = this.instance.engine.acquire(LockRequest.of(handle.key()))) {
			this.instance.log.write("error", "upgrade", handle.fencingToken(), writing.fencingToken());
		}
		catch (LockUpgradeException ex) {
			count("not-upgraded");
		}
		catch (LockLostException ex) {
			count("lost-at-re-entry");
		}
	}

	private void tryOnce(LockRequest request, Random random) throws InterruptedException {
		Optional<LockHandle> handle = this.instance.engine.tryAcquire(request.withWaitTime(Duration.ZERO));
		if (handle.isPresent()) {
			hold(handle.get(), request, random);
		}
		else {
			count("tried-in-vain");
		}
	}

	private void acquireAsync(LockRequest request, Random random) throws Exception {
		CompletableFuture<LockHandle> future = this.instance.engine.acquireAsync(request);
		try {
			if (random.nextBoolean()) {
				detached(future.get(random.nextInt(3_000), TimeUnit.MICROSECONDS), request, random);
			}
			else {
				detached(future.join(), request, random);
			}
		}
		catch (TimeoutException | InterruptedException ex) {
			count("cancelled");
			if (!future.cancel(false) && !future.isCompletedExceptionally()) {
				future.join().close();
			}
		}
		catch (CompletionException | ExecutionException ex) {
			count("failed-asynchronously");
			backOff();
		}
	}

	/* The thread must not re-enter the detached lock. */
	private void detached(LockHandle handle, LockRequest request, Random random) {
		watch(handle, request, random.nextInt(200) * 1_000L, false);
		handle.close();
	}

	private void interruptSoon(Random random) {
		Thread thread = Thread.currentThread();
		count("interrupts");
		if (random.nextInt(10) == 0) {
			thread.interrupt();
			return;
		}
		var unused = this.interrupting.schedule(thread::interrupt, random.nextInt(5_000), TimeUnit.MICROSECONDS);
	}

	/* A thread that acquires a lock and dies without closing it. */
	private void abandon(LockRequest request) {
		count("abandoned");
		Thread thread = new Thread(() -> {
			try {
				WatchedHold hold = begin(this.instance.engine.acquire(request), request);
				if (hold != null) {
					hold.abandon();
				}
			}
			catch (InterruptedException | RuntimeException ex) {
				count("not-even-acquired");
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	/* Request a key that others want, and give up while the answer is under way. */
	private void quit(Random random) {
		Lease lease = Workload.any(this.workload.leases(), random);
		CompletableFuture<LockHandle> future = this.instance.engine.acquireAsync(longRequest(random).withLease(lease));
		LockSupport.parkNanos(random.nextInt(20) * PAUSE);
		if (future.cancel(false)) {
			count("cancelled");
		}
		else if (!future.isCompletedExceptionally()) {
			future.join().close();
		}
		LockSupport.parkNanos(random.nextInt(100) * PAUSE);
	}

	/* Acquire a key that is free at the moment, and let its lease expire. */
	private void grab(Random random) throws InterruptedException {
		Lease lease = Workload.any(this.workload.leases(), random);
		LockRequest request = longRequest(random).withLease(lease).withWaitTime(Duration.ZERO);
		Optional<LockHandle> handle = this.instance.engine.tryAcquire(request);
		if (handle.isPresent()) {
			long length = (long) (lease.duration().toNanos() * Workload.any(this.workload.lengths(), random));
			watch(handle.get(), request, length, true);
			handle.get().close();
		}
		LockSupport.parkNanos(PAUSE);
	}

	private void noticeStalls() {
		long before = System.nanoTime();
		LockSupport.parkNanos(5 * PAUSE);
		long after = System.nanoTime();
		if (after - before > 50 * PAUSE) {
			this.instance.log.write("stalled", before, after);
		}
	}

	private interface Cycle {

		void run(Random random) throws Exception;

	}

}
