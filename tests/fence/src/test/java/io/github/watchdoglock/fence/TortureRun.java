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

package io.github.watchdoglock.fence;

import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.watchdoglock.fence.TortureEvent.Kind;
import io.github.watchdoglock.fence.TortureFault.Fault;
import io.github.watchdoglock.fence.TortureLedger.Violation;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * A run of instances in JVMs of their own, with a Redis and a database, under faults.
 */
final class TortureRun implements AutoCloseable {

	static final int INSTANCES = 4;

	/* A lease, a waiting raise, and a busy machine. */
	private static final Duration FELT_WITHIN = Duration.ofSeconds(5);

	private static final Duration MAX_GAP = Duration.ofSeconds(2);

	private static final Duration LOOK = Duration.ofMillis(20);

	private static final Duration COUNT = Duration.ofMillis(500);

	private static final int DELETES = 10;

	private final Queue<TortureEvent> events = new ConcurrentLinkedQueue<>();

	private final List<TortureProcess> instances = new ArrayList<>();

	private final TortureRedis redis;

	private final SingleConnectionDataSource database;

	private final JdbcTemplate jdbc;

	private final TortureLedger ledger;

	/* The waiting raises: their process and their begin. */
	private final Set<String> waiting = new HashSet<>();

	private final List<Injected> injected = new ArrayList<>();

	private String phase = "";

	private FenceVariant variant = FenceVariant.RIGHT;

	TortureRun(String url, Path folder) throws Exception {
		this.redis = new TortureRedis();
		this.database = new SingleConnectionDataSource(url, true);
		this.jdbc = new JdbcTemplate(this.database);
		this.ledger = new TortureLedger(this.jdbc);
		try {
			for (int i = 0; i < INSTANCES; i++) {
				this.instances.add(new TortureProcess(i, url, this.redis.port(), folder, this.events));
			}
			for (TortureProcess instance : this.instances) {
				instance.expect("ready");
			}
		}
		catch (Throwable ex) {
			close();
			throw ex;
		}
	}

	/* Begin transactions with new keys; this number of 1,000 transactions takes long. */
	void begin(FenceVariant variant, int slow, long seed) throws InterruptedException {
		this.phase = variant.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-";
		this.variant = variant;
		this.events.clear();
		this.injected.clear();
		this.ledger.begin(this.phase, TortureWorker.KEYS);
		for (TortureProcess instance : this.instances) {
			instance.send("start " + this.phase + " " + variant + " " + slow + " " + (seed + 100L * instance.number));
		}
		for (TortureProcess instance : this.instances) {
			instance.expect("start");
		}
	}

	/* Spread the faults over the transactions, until there are enough of them. */
	void run(List<TortureFault> faults, long transactions, Duration most, Random random) throws Exception {
		long start = System.nanoTime();
		long last = start;
		int next = 0;
		while (System.nanoTime() - start < most.toNanos()) {
			watchFor(COUNT);
			long count = transactions();
			boolean late = System.nanoTime() - last > MAX_GAP.toNanos();
			if (next < faults.size()) {
				if (late || count * (faults.size() + 1) > transactions * (next + 1)) {
					inject(faults.get(next++));
					last = System.nanoTime();
				}
			}
			else if (count >= transactions) {
				List<Fault> vain = vain(faults);
				if (vain.isEmpty()) {
					return;
				}
				// A fault that occurred when nothing was under way is injected again.
				if (late) {
					inject(TortureFault.draw(vain.get(0), INSTANCES, random));
					last = System.nanoTime();
				}
			}
		}
	}

	private void watchFor(Duration time) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() - end < 0) {
			watch();
			TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
		}
	}

	/* Inject faults until such a violation is found. Returns how long that took. */
	Duration runUntilCaught(Predicate<Violation> caught, Supplier<TortureFault> faults, Duration gap, Duration most)
			throws Exception {
		long start = System.nanoTime();
		while (System.nanoTime() - start < most.toNanos() && check().stream().noneMatch(caught)) {
			inject(faults.get());
			TimeUnit.NANOSECONDS.sleep(gap.toNanos());
		}
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private void inject(TortureFault fault) throws Exception {
		this.injected.add(new Injected(fault, System.nanoTime()));
		switch (fault.kind()) {
			case RECORD_DELETED -> delete(fault.key());
			case FLUSHED -> this.redis.command("FLUSHALL");
			case PAUSED -> this.instances.get(fault.instance()).pause(fault.millis());
			case FAILED_OVER -> {
				this.redis.save();
				TimeUnit.MILLISECONDS.sleep(fault.millis() / 10);
				this.redis.failOver(fault.toCopy());
			}
			case CONNECTIONS_CUT -> this.jdbc.queryForList(
					"select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?",
					"torture-" + fault.instance());
		}
	}

	/*
	 * Delete the key a few times, so that some of its holders are in the middle of an
	 * operation.
	 */
	private void delete(int key) throws Exception {
		String name = this.variant.isFenced() ? TortureShop.FENCED : TortureShop.PLAIN;
		for (int i = 0; i < DELETES; i++) {
			this.redis.command("DEL watchdog-lock:{" + name + ":" + this.phase + key + "}");
			watch();
			TimeUnit.MILLISECONDS.sleep(5);
		}
	}

	/* Watch for raises that wait for a transaction. */
	private void watch() {
		this.jdbc.query(
				"select pid, query_start, application_name from pg_stat_activity"
						+ " where wait_event_type = 'Lock' and query like 'update " + FenceTable.DEFAULT_NAME + "%'",
				(row) -> {
					Timestamp since = row.getTimestamp(2);
					if (this.waiting.add(row.getInt(1) + " " + since)) {
						String name = row.getString(3);
						this.events.add(new TortureEvent(Kind.WAITING,
								Integer.parseInt(name.substring(name.length() - 1)), "", System.nanoTime()));
					}
				});
	}

	/* Wait until all running operations have ended. */
	void end() throws Exception {
		for (TortureProcess instance : this.instances) {
			instance.awaitResumption();
		}
		for (TortureProcess instance : this.instances) {
			instance.send("stop");
		}
		for (TortureProcess instance : this.instances) {
			instance.expect("stop");
		}
	}

	List<Violation> check() {
		List<Violation> found = new ArrayList<>(this.ledger.check(this.phase));
		if (this.variant == FenceVariant.RIGHT) {
			events(Kind.CONFLICT)
				.forEach((event) -> found.add(new Violation(Violation.Kind.CONFLICT, event.toString())));
		}
		return found;
	}

	long transactions() {
		return this.ledger.transactions(this.phase);
	}

	List<TortureEvent> events(Kind kind) {
		return this.events.stream().filter((event) -> event.kind() == kind).toList();
	}

	Map<Kind, Long> events() {
		return this.events.stream()
			.collect(Collectors.groupingBy(TortureEvent::kind, () -> new EnumMap<>(Kind.class), Collectors.counting()));
	}

	/* The number of faults with an effect and of injected ones, for each kind. */
	Map<Fault, String> faults() {
		Map<Fault, String> counts = new EnumMap<>(Fault.class);
		for (Fault kind : Fault.values()) {
			long all = this.injected.stream().filter((each) -> each.fault.kind() == kind).count();
			counts.put(kind, felt(kind) + " of " + all);
		}
		return counts;
	}

	private long felt(Fault kind) {
		return this.injected.stream()
			.filter((each) -> each.fault.kind() == kind
					&& this.events.stream().anyMatch((event) -> isFelt(each, event)))
			.count();
	}

	private boolean isFelt(Injected each, TortureEvent event) {
		long after = event.time() - each.time;
		return after >= 0 && after < FELT_WITHIN.toNanos() && each.fault.isFeltBy(event, this.phase);
	}

	/* The kinds without any effect, or without the required one. */
	List<Fault> vain(List<TortureFault> faults) {
		Set<Fault> vain = EnumSet.noneOf(Fault.class);
		faults.stream().map(TortureFault::kind).filter((kind) -> felt(kind) == 0).forEach(vain::add);
		if (this.variant.isFenced() && events(Kind.OVERTAKEN).isEmpty()) {
			vain.add(Fault.PAUSED);
		}
		if (this.variant.isFenced() && events(Kind.WAITING).isEmpty()) {
			vain.add(Fault.FLUSHED);
		}
		return List.copyOf(vain);
	}

	@Override
	public void close() throws InterruptedException {
		for (TortureProcess instance : this.instances) {
			instance.close();
		}
		this.database.destroy();
		this.redis.close();
	}

	private record Injected(TortureFault fault, long time) {

	}

}
