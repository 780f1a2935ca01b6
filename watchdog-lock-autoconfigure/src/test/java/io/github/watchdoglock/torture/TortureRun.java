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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;

/**
 * A run of instances in JVMs of their own that acquire the same locks, while faults are
 * injected.
 */
final class TortureRun implements AutoCloseable {

	/* As a fraction of the lease: the protocol allows for a hundredth. */
	private static final double MAX_DRIFT = 0.009;

	private static final Duration LOOK = Duration.ofMillis(500);

	private final List<InstanceProcess> instances = new ArrayList<>();

	private final History history = new History();

	private final Rules rules;

	private final Injection injection;

	private final Pulse pulse;

	private final long start = System.nanoTime();

	TortureRun(RedisServerExtension redis, Path folder, Variant variant, Variant workload, int instances, long seed,
			Rules rules) throws IOException {
		this.rules = rules;
		RedisAdmin admin = redis.admin();
		this.injection = new Injection(this.instances, admin, folder.getFileName().toString(), this.history);
		this.pulse = new Pulse(admin);
		Files.createDirectories(folder);
		Path scripts = BrokenScripts.write(variant, folder.resolve("scripts"));
		Random random = new Random(seed);
		for (int i = 0; i < instances; i++) {
			// The first clock is as slow as allowed.
			double rate = 1 - MAX_DRIFT * ((i == 0) ? 1 : random.nextDouble());
			InstanceProcess instance = new InstanceProcess(i, redis.port(), folder, rate, variant, workload,
					seed + 100L * i, scripts);
			this.instances.add(instance);
			instance.begin();
		}
		for (InstanceProcess instance : this.instances) {
			instance.checkClock();
			instance.ask("start");
		}
	}

	/*
	 * Spread faults over a time, and continue until there are enough cycles, or until the
	 * time has passed.
	 */
	void run(List<DrawnFault> faults, Duration time, long cycles, Duration most) throws Exception {
		long begin = System.nanoTime();
		long gap = time.toNanos() / (faults.size() + 1);
		Iterator<DrawnFault> next = faults.iterator();
		for (int i = 1; next.hasNext(); i++) {
			sleepUntil(begin + i * gap);
			this.injection.inject(next.next());
			read();
		}
		repeatWhatWasVain(faults);
		while (System.nanoTime() - begin < time.toNanos() || this.history.checked() < cycles) {
			if (System.nanoTime() - begin > most.toNanos()) {
				return;
			}
			sleepUntil(System.nanoTime() + LOOK.toNanos());
			read();
		}
	}

	/*
	 * A fault that occurred when nothing was under way is injected again, into another
	 * instance.
	 */
	private void repeatWhatWasVain(List<DrawnFault> faults) throws Exception {
		for (int round = 1; round < this.instances.size(); round++) {
			for (FaultKind kind : this.injection.effects().vainSoFar()) {
				DrawnFault vain = faults.stream().filter((fault) -> fault.kind() == kind).findFirst().orElseThrow();
				this.injection.inject(vain.to((vain.instance() + round) % this.instances.size()));
				read();
			}
		}
	}

	/* Inject a fault repeatedly, until the bug is found or the time has passed. */
	void run(Trap trap, Duration most) throws Exception {
		long end = System.nanoTime() + most.toNanos();
		boolean caught = false;
		while (!caught && System.nanoTime() - end < 0) {
			sleepUntil(System.nanoTime() + trap.pause().toNanos());
			this.injection.inject(trap.fault());
			read();
			caught = check(false).stream().anyMatch((violation) -> trap.kinds().contains(violation.kind()));
		}
	}

	private static void sleepUntil(long time) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(time - System.nanoTime());
	}

	private void read() throws IOException {
		for (InstanceProcess instance : this.instances) {
			instance.readInto(this.history);
		}
	}

	/* Stop all instances, and check their complete logs. */
	List<Violation> finish() throws IOException {
		for (InstanceProcess instance : this.instances) {
			instance.ask("stop");
		}
		read();
		List<Violation> found = check(true);
		this.injection.effects().settle();
		return found;
	}

	private List<Violation> check(boolean complete) {
		List<Window> troubles = new ArrayList<>(this.injection.windows());
		troubles.addAll(this.pulse.stalls());
		return new Checker(this.history, troubles, this.rules, complete).check();
	}

	History history() {
		return this.history;
	}

	Effects effects() {
		return this.injection.effects();
	}

	Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	@Override
	public void close() throws InterruptedException {
		this.pulse.close();
		this.instances.forEach(InstanceProcess::close);
	}

}
