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

package io.github.watchdoglock.benchmarks.run;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.jvm.JvmBenchmarks;
import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.run.Fleet.Shape;

/**
 * All cases with a Redis, and with a database.
 */
final class Cases {

	/* Without waiting, contenders that only try once can be compared, too. */
	private static final List<Contender> UNCONTENDED = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.WATCHDOG_LOCK_UNMETERED, Contender.WATCHDOG_LOCK_OBSERVED, Contender.WATCHDOG_LOCK_NO_AWAIT,
			Contender.WATCHDOG_LOCK_LINGER, Contender.REDISSON, Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB,
			Contender.SHEDLOCK, Contender.BARE_PAIR);

	private static final List<Contender> METERED = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.WATCHDOG_LOCK_UNMETERED, Contender.WATCHDOG_LOCK_OBSERVED, Contender.WATCHDOG_LOCK_PROMETHEUS,
			Contender.WATCHDOG_LOCK_TRACED, Contender.WATCHDOG_LOCK_SAMPLED, Contender.REDISSON, Contender.BARE_PAIR);

	private static final List<Contender> WAITING = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.REDISSON, Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB);

	private static final List<Contender> WAITING_WITHOUT_WORK = with(WAITING, Contender.WATCHDOG_LOCK_NO_AWAIT);

	private static final List<Contender> WAITING_IN_ONE_JVM = with(WAITING_WITHOUT_WORK, Contender.FAIR_LOCK);

	private static final List<Contender> RENEWING = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.REDISSON);

	private static final List<Contender> TRANSACTIONS = List.of(Contender.UNFENCED, Contender.FENCED,
			Contender.FOR_UPDATE);

	/* The prefix of the cases with a database. */
	static final String FENCE = "fence";

	private static final List<Integer> FOUR_BY_4 = Collections.nCopies(4, 4);

	/* The maximum, because each round takes two minutes. */
	private static final int RENEWAL_ROUNDS = 10;

	/* One round is enough for counts, which do not vary like speeds. */
	private static final int COUNT_ROUNDS = 1;

	/* The lease determines how long the record of a lock is kept. */
	private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private Cases() {
	}

	static List<Case> all(Options options) {
		return options.kinds() ? KindCases.all(options) : exclusive(options);
	}

	private static List<Case> exclusive(Options options) {
		return Stream.of(contention(options), others(options), fence(options)).flatMap((each) -> each).toList();
	}

	/* The ids that options may name. */
	static Set<String> ids(Options options) {
		Set<String> ids = new TreeSet<>(all(options).stream().map(Case::id).toList());
		if (!options.kinds()) {
			ids.add(JvmBenchmarks.ID);
			ids.add(FENCE);
		}
		return ids;
	}

	/* A lock that excludes no caller, which the measurement must detect. */
	static Case proof(Mix mix) {
		return new Case("proof", "A lock that excludes nobody", Shape.FOUR_JVMS, List.of(Contender.NO_LOCK),
				new ContentionRound("proof", false, FOUR_BY_4, Duration.ofMillis(1), Duration.ZERO, mix, false,
						Duration.ofSeconds(2)));
	}

	private static Stream<Case> contention(Options options) {
		Duration length = options.length();
		return Stream.of(
				contention("own-key-1", "One caller, own key", Shape.ONE, UNCONTENDED, true, List.of(1), 0, length),
				contention("own-keys-32", "32 callers of one instance, own keys", Shape.ONE, UNCONTENDED, true,
						List.of(32), 0, length),
				paced(length),
				contention("one-key-32", "32 callers of one instance, one key", Shape.ONE, WAITING_IN_ONE_JVM, false,
						List.of(32), 0, length),
				new Case("re-entry", "Re-entry: the lock is held, and taken and released once more", Shape.ONE,
						List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON,
								Contender.REGISTRY_SPIN, Contender.FAIR_LOCK),
						new Reentry()),
				contention("four-by-4", "4 instances × 4 callers, one key", Shape.FOUR_JVMS, WAITING_WITHOUT_WORK,
						false, FOUR_BY_4, 0, length),
				contention("four-by-32", "4 instances × 32 callers, one key", Shape.FOUR_JVMS, WAITING, false,
						Collections.nCopies(4, 32), 0, length),
				contention("four-by-4-work", "4 instances × 4 callers, one key, 2 ms of work", Shape.FOUR_JVMS, WAITING,
						false, FOUR_BY_4, 2, length),
				contention("lonely", "One caller against 3 instances × 4 callers, one key, 200 ms of work",
						Shape.FOUR_JVMS, WAITING, false, List.of(4, 4, 4, 1), 200, options.slowLength()),
				contention("four-contexts", "4 instances in one JVM × 4 callers, one key", Shape.FOUR_CONTEXTS, WAITING,
						false, FOUR_BY_4, 0, length));
	}

	/* The same rate for all, so that CPU and allocations are those of equal work. */
	private static Case paced(Duration length) {
		return new Case("own-keys-paced", "32 callers of one instance, own keys, 8,000 acquisitions a second",
				Shape.ONE, METERED, new ContentionRound("own-keys-paced", true, List.of(32), Duration.ZERO,
						Duration.ofMillis(4), Mix.EXCLUSIVE, false, length));
	}

	private static Case contention(String id, String title, Shape shape, List<Contender> contenders, boolean ownKeys,
			List<Integer> callers, int workMillis, Duration length) {
		return new Case(id, title, shape, contenders, new ContentionRound(id, ownKeys, callers,
				Duration.ofMillis(workMillis), Duration.ZERO, Mix.EXCLUSIVE, false, length));
	}

	private static Stream<Case> others(Options options) {
		Shape traces = Shape.anew(DEFAULT_LEASE, COUNT_ROUNDS);
		return Stream.of(
				new Case("renewal",
						String.format("Renewal of %,d held locks with a lease of %d s", options.held(),
								options.heldLease().toSeconds()),
						Shape.anew(options.heldLease(), Math.min(options.rounds(), RENEWAL_ROUNDS)), RENEWING,
						Renewal::measure),
				new Case("leftovers",
						String.format("Renewals in a period for one held lock, after %,d times lock and unlock",
								options.cycles()),
						Shape.anew(options.cyclesLease(), COUNT_ROUNDS),
						List.of(Contender.WATCHDOG_LOCK, Contender.REDISSON), Traces::leftovers),
				new Case("new-keys",
						String.format("Memory of Redis where %,d new keys a second are locked once", Traces.PER_SECOND),
						traces, RENEWING, Traces::newKeys),
				new Case("replication", "Bytes to a replica, for each lock and unlock that nobody waits for", traces,
						List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.REDISSON,
								Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB, Contender.SHEDLOCK,
								Contender.BARE_PAIR),
						Traces::replication));
	}

	private static Stream<Case> fence(Options options) {
		return Stream.of(
				fence("fence-own-keys", "Transaction with one update, 16 callers of one instance, own keys", true,
						options),
				fence("fence-one-key", "Transaction with one update, 16 callers of one instance, one key", false,
						options));
	}

	private static Case fence(String id, String title, boolean ownKeys, Options options) {
		ContentionRound round = new ContentionRound(id, ownKeys, List.of(16), Duration.ZERO, Duration.ZERO,
				Mix.EXCLUSIVE, false, options.length());
		return new Case(id, title, new Shape(1, 1, DEFAULT_LEASE, 0), TRANSACTIONS, round);
	}

	private static List<Contender> with(List<Contender> contenders, Contender one) {
		return Stream.concat(contenders.stream(), Stream.of(one)).sorted().toList();
	}

}
