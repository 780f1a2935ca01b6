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

package io.github.watchdoglock.benchmarks.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.benchmarks.load.LoadCase.Java;
import io.github.watchdoglock.benchmarks.lock.Application;
import io.github.watchdoglock.benchmarks.run.Arguments;
import io.github.watchdoglock.benchmarks.run.Redis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A stress run of virtual threads that acquire and release a few locks, while an
 * unrelated lock with a short lease is renewed. It prints how long the watchdog was
 * silent, and fails if a lock was lost.
 */
public final class ThreadsRun {

	private static final String USAGE = "[--seconds=60] [--threads=64] [--keys=4] [--interrupt] [--store=memory]";

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final long SAMPLE_MILLIS = 50;

	private static final long TO_THE_END_SECONDS = 30;

	private final AtomicReference<@Nullable Throwable> unexpected = new AtomicReference<>();

	private final LongAdder acquired = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final LoadProbe probe = new LoadProbe();

	private final List<Thread> callers = new ArrayList<>();

	private final Arguments given;

	private long silentMillis;

	private long stalledMillis;

	private volatile boolean over;

	private ThreadsRun(Arguments given) {
		this.given = given;
	}

	/**
	 * Run in the root of the project.
	 * @param args {@code --seconds=60}, {@code --threads=64}, {@code --keys=4},
	 * {@code --interrupt} to release with the interrupt flag set, {@code --store=memory}
	 * instead of {@code redis}
	 * @throws Exception if the run could not be made
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		if (Runtime.version().feature() < 25) {
			System.exit(runOnJdk25(args));
		}
		ThreadsRun run = new ThreadsRun(
				Arguments.parse(args, USAGE, "seconds", "threads", "keys", "interrupt", "store"));
		System.exit(run.isInMemory() ? run.measure("watchdog-lock.store=local") : run.measureOnRedis());
	}

	private static int runOnJdk25(String[] args) throws IOException, InterruptedException {
		Java found = Jdks.find()
			.stream()
			.filter((java) -> java.feature() >= 25)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No JDK 25 was found. Set JAVA_HOME to one."));
		List<String> command = new ArrayList<>(List.of(found.program().toString(), "-Xmx1g", "-cp",
				System.getProperty("java.class.path"), ThreadsRun.class.getName()));
		command.addAll(List.of(args));
		return new ProcessBuilder(command).inheritIO().start().waitFor();
	}

	private boolean isInMemory() {
		return this.given.find("store", "redis").equals("memory");
	}

	private int measureOnRedis() throws Exception {
		try (Redis redis = Redis.start(null)) {
			return measure("spring.data.redis.port=" + redis.port());
		}
	}

	private int measure(String property) throws Exception {
		MeterRegistry meters = new SimpleMeterRegistry();
		// Nothing is closed if callers hang, because the engine may hang, too; the JVM
		// ends then.
		ConfigurableApplicationContext context = LoadedEngine.start(property, this.probe, meters);
		LockService locks = Application.locks(context);
		TimeGauge silence = meters.get("watchdog.lock.watchdog.silent").timeGauge();
		LockHandle unrelated = locks.acquire(LoadedEngine.request("unrelated").withLease(Lease.renewed(LEASE)));
		start(locks);
		boolean ended = sample(silence);
		System.out.printf(
				"longest silence %,d ms, longest time without an acquisition %,d ms, %d locks lost,"
						+ " %,d acquisitions, %d failed%n",
				this.silentMillis, this.stalledMillis, this.probe.losses(), this.acquired.sum(), this.failed.sum());
		if (!ended) {
			return 1;
		}
		boolean held = unrelated.isHeld();
		unrelated.close();
		int left = context.getBean(LocalLocks.class).list().size();
		System.out.printf("the unrelated lock %s, %d locks lost, %d left over%n", held ? "was held" : "WAS LOST",
				this.probe.losses(), left);
		context.close();
		return (held && this.probe.losses() == 0 && left == 0) ? 0 : 1;
	}

	private void start(LockService locks) {
		int keys = this.given.number("keys", 4);
		List<AtomicInteger> holders = Stream.generate(AtomicInteger::new).limit(keys).toList();
		int threads = this.given.number("threads", 64);
		boolean interrupt = this.given.has("interrupt");
		for (int i = 0; i < threads; i++) {
			int number = i + 1;
			LockRequest request = LoadedEngine.request("key-" + i % keys);
			AtomicInteger holder = holders.get(i % keys);
			this.callers.add(LoadThreads.VIRTUAL.start(() -> {
				while (!this.over) {
					call(locks, request, () -> LoadRound.check(holder, number), interrupt);
					LoadThreads.VIRTUAL.letOthersIn();
				}
			}));
		}
	}

	private void call(LockService locks, LockRequest request, Runnable work, boolean interrupt) {
		try (LockHandle handle = locks.acquire(request)) {
			work.run();
			this.acquired.increment();
			if (interrupt) {
				Thread.currentThread().interrupt();
			}
		}
		catch (LockException ex) {
			this.failed.increment();
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			this.unexpected.compareAndSet(null, ex);
		}
		finally {
			var unused = Thread.interrupted();
		}
	}

	/* Return whether all callers have ended, and none has failed unexpectedly. */
	private boolean sample(TimeGauge silence) throws InterruptedException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(this.given.number("seconds", 60));
		long last = end + TimeUnit.SECONDS.toNanos(TO_THE_END_SECONDS);
		long count = 0;
		long since = System.nanoTime();
		long alive = this.callers.size();
		for (long now = since; alive > 0 && now - last < 0; now = System.nanoTime()) {
			this.over = now - end >= 0;
			this.silentMillis = Math.max(this.silentMillis, (long) silence.value(TimeUnit.MILLISECONDS));
			if (count != this.acquired.sum()) {
				count = this.acquired.sum();
				since = now;
			}
			this.stalledMillis = Math.max(this.stalledMillis, TimeUnit.NANOSECONDS.toMillis(now - since));
			TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
			alive = this.callers.stream().filter(Thread::isAlive).count();
		}
		if (alive > 0) {
			System.out.printf("%d callers did not end within %d s%n", alive, TO_THE_END_SECONDS);
		}
		Throwable failure = this.unexpected.get();
		if (failure != null) {
			failure.printStackTrace(System.out);
		}
		return alive == 0 && failure == null;
	}

}
