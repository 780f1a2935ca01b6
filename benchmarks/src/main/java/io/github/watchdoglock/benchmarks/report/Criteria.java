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

package io.github.watchdoglock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * What this project sets out to reach.
 */
final class Criteria {

	private static final String RATIO = "%,.2f ×";

	private static final String HERE = Contender.WATCHDOG_LOCK.title();

	private static final String BEFORE = Contender.WATCHDOG_LOCK_BEFORE.title();

	private static final String LINGER = Contender.WATCHDOG_LOCK_LINGER.title();

	private static final String NO_AWAIT = Contender.WATCHDOG_LOCK_NO_AWAIT.title();

	private static final String REDISSON = Contender.REDISSON.title();

	private static final String BARE = Contender.BARE_PAIR.title();

	private final List<Criterion> list = new ArrayList<>();

	private Criteria() {
		uncontended();
		lingering();
		oneInstance();
		shared("4 instances × 4 callers", "four-by-4", 150);
		shared("4 instances × 32 callers", "four-by-32", 250);
		shared("4 instances in one JVM × 4 callers", "four-contexts", 150);
		work();
		before();
		holding();
		traces();
		inJvm();
	}

	static List<Criterion> all() {
		return List.copyOf(new Criteria().list);
	}

	private void uncontended() {
		atMost("One caller, own key: lock + unlock, to Redisson's", 1.0, RATIO,
				ratio("own-key-1", Measure.PAIR_MICROS, HERE, REDISSON));
		atMost("– to the bare pair's", 1.1, RATIO, ratio("own-key-1", Measure.PAIR_MICROS, HERE, BARE));
		atMost("– with `await-release=false`, to Redisson's", 0.65, RATIO,
				ratio("own-key-1", Measure.PAIR_MICROS, NO_AWAIT, REDISSON));
		atLeast("32 callers, own keys: acquisitions, to Redisson's", 3.6,
				ratio("own-keys-32", Measure.PER_SECOND, HERE, REDISSON));
		atLeast("– to the bare pair's", 0.85, ratio("own-keys-32", Measure.PER_SECOND, HERE, BARE));
		atMost("– Redis' own time for lock + unlock, to the bare pair's", 2.3, RATIO,
				ratio("own-keys-32", Measure.SERVER_RUN_MICROS, HERE, BARE));
	}

	private void lingering() {
		atMost("One caller, own key, with `linger=1s`: lock + unlock", 5, "%.1f µs",
				of("own-key-1", LINGER, Measure.PAIR_MICROS));
		atLeast("32 callers, own keys, with `linger=1s`: acquisitions, to Redisson's", 20,
				ratio("own-keys-32", Measure.PER_SECOND, LINGER, REDISSON));
		atMost("– scripts per acquisition", 0.01, "%.4f", of("own-keys-32", LINGER, Measure.COMMANDS));
	}

	private void oneInstance() {
		atLeast("32 callers, one key, one instance: acquisitions, to Redisson's", 8,
				ratio("one-key-32", Measure.PER_SECOND, HERE, REDISSON));
		atLeast("– to a fair `ReentrantLock`'s", 0.6,
				ratio("one-key-32", Measure.PER_SECOND, HERE, Contender.FAIR_LOCK.title()));
	}

	private void shared(String callers, String id, int longestWait) {
		atLeast(callers + ", one key: acquisitions, to Redisson's", 12, ratio(id, Measure.PER_SECOND, HERE, REDISSON));
		atMost("– scripts per acquisition", 0.3, "%.2f", here(id, Measure.COMMANDS));
		atMost("– luckiest to unluckiest caller", 1.5, "%.2f", here(id, Measure.LUCK));
		atMost("– longest wait", longestWait, "%.0f ms", here(id, Measure.LONGEST_WAIT_MILLIS));
	}

	private void work() {
		atLeast("4 × 4 callers, 2 ms of work: acquisitions, to Redisson's", 1.15,
				ratio("four-by-4-work", Measure.PER_SECOND, HERE, REDISSON));
		atMost("– gap between holders in different instances, to Redisson's", 1.3, RATIO,
				ratio("four-by-4-work", Measure.GAP_MICROS, HERE, REDISSON));
		atMost("200 ms of work, 4 instances, one with a single caller: its longest wait", 5, "%.1f holds",
				here("lonely", Measure.LONELY_WAIT_HOLDS));
	}

	private void before() {
		sameAsBefore("32 callers of one instance", "one-key-32");
		sameAsBefore("4 instances × 4 callers", "four-by-4");
		sameAsBefore("4 instances × 32 callers", "four-by-32");
		sameAsBefore("4 instances in one JVM × 4 callers", "four-contexts");
		sameAsBefore("4 × 4 callers, 2 ms of work", "four-by-4-work");
		sameAsBefore("200 ms of work, one with a single caller", "lonely");
		atLeast("Re-entry: time before, to now", 0.95, ratio("re-entry", Measure.NANOS, BEFORE, HERE));
	}

	private void sameAsBefore(String callers, String id) {
		atLeast(callers + ", one key: acquisitions, to those before", 0.95,
				ratio(id, Measure.PER_SECOND, HERE, BEFORE));
	}

	private void holding() {
		atLeast("Re-entry: Redisson's time, to ours", 300, ratio("re-entry", Measure.NANOS, REDISSON, HERE));
		atMost("Renewal of held locks: CPU of the client, to Redisson's", 1.0, RATIO,
				ratio("renewal", Measure.CLIENT_PERCENT, HERE, REDISSON));
		atMost("– CPU of Redis, to Redisson's", 1.6, RATIO, ratio("renewal", Measure.SERVER_PERCENT, HERE, REDISSON));
		atMost("– heap per lock", 400, "%.0f B", here("renewal", Measure.HEAP_BYTES));
		atMost("– memory of Redis per lock", 300, "%.0f B", here("renewal", Measure.HELD_BYTES));
		atMost("Renewals per period for one held lock after many", 1.25, "%.2f", here("leftovers", Measure.PER_PERIOD));
	}

	private void traces() {
		atMost("1,000 new keys a second, when as many are forgotten: memory of Redis", 20, "%.1f MB",
				here("new-keys", Measure.REMEMBERED_MEGABYTES));
		atMost("Bytes to a replica for lock + unlock", 350, "%.0f B", here("replication", Measure.REPLICA_BYTES));
	}

	private void inJvm() {
		atMost("Intercepted call on top of the programmatic one", 1.5, "%.2f µs",
				difference("programmatic", "intercepted"));
		atMost("– with a key by expression", 1.5, "%.2f µs",
				difference("programmatic with key", "intercepted with key"));
		atMost("Meters on, per lock", 3, "%.2f µs",
				difference("lock and unlock, meters off", "lock and unlock, meters on"));
	}

	private void atMost(String subject, double bound, String format, ToDoubleFunction<Results> value) {
		this.list.add(new Criterion(subject, bound, true, format, value));
	}

	private void atLeast(String subject, double bound, ToDoubleFunction<Results> value) {
		this.list.add(new Criterion(subject, bound, false, RATIO, value));
	}

	private static ToDoubleFunction<Results> here(String id, String measure) {
		return of(id, HERE, measure);
	}

	private static ToDoubleFunction<Results> of(String id, String contender, String measure) {
		return (results) -> results.median(id, contender, measure);
	}

	private static ToDoubleFunction<Results> ratio(String id, String measure, String dividend, String divisor) {
		return (results) -> results.median(id, dividend, measure) / results.median(id, divisor, measure);
	}

	private static ToDoubleFunction<Results> difference(String less, String more) {
		return (results) -> (results.median("in-jvm", more, Measure.NANOS)
				- results.median("in-jvm", less, Measure.NANOS)) / 1e3;
	}

}
