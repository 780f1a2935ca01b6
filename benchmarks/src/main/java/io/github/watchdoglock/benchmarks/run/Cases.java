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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.jvm.JvmBenchmarks;
import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * All that is measured over a Redis.
 */
final class Cases {

	/* Who has nothing to wait for can be compared by what it takes. */
	private static final List<Contender> UNCONTENDED = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.WATCHDOG_LOCK_NO_AWAIT, Contender.WATCHDOG_LOCK_LINGER, Contender.REDISSON,
			Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB, Contender.SHEDLOCK, Contender.BARE_PAIR);

	private static final List<Contender> WAITING = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE,
			Contender.REDISSON, Contender.REGISTRY_SPIN, Contender.REGISTRY_PUB_SUB);

	private static final List<Contender> WAITING_WITHOUT_WORK = with(WAITING, Contender.WATCHDOG_LOCK_NO_AWAIT);

	private static final List<Contender> WAITING_IN_ONE_JVM = with(WAITING_WITHOUT_WORK, Contender.FAIR_LOCK);

	private static final Duration SHORT_WORK = Duration.ofMillis(2);

	private static final Duration LONG_WORK = Duration.ofMillis(200);

	private final Settings settings;

	private final Predicate<String> wanted;

	/* Wanted are some of the ids. */
	Cases(Settings settings, Predicate<String> wanted) {
		this.settings = settings;
		this.wanted = wanted;
	}

	/* One instance in one JVM. */
	List<Case> inOneInstance() {
		return wanted(
				List.of(contention("own-key-1", "One caller, own key", UNCONTENDED, true, List.of(1), Duration.ZERO),
						contention("own-keys-32", "32 callers of one instance, own keys", UNCONTENDED, true,
								List.of(32), Duration.ZERO),
						contention("one-key-32", "32 callers of one instance, one key", WAITING_IN_ONE_JVM, false,
								List.of(32), Duration.ZERO),
						new ReentryCase(this.settings)));
	}

	/* Four instances, each in a JVM of its own. */
	List<Case> inFourJvms() {
		return wanted(List.of(
				contention("four-by-4", "4 instances × 4 callers, one key", WAITING_WITHOUT_WORK, false,
						Collections.nCopies(4, 4), Duration.ZERO),
				contention("four-by-32", "4 instances × 32 callers, one key", WAITING, false,
						Collections.nCopies(4, 32), Duration.ZERO),
				contention("four-by-4-work", "4 instances × 4 callers, one key, 2 ms of work", WAITING, false,
						Collections.nCopies(4, 4), SHORT_WORK),
				contention("lonely", "One caller against 3 instances × 4 callers, one key, 200 ms of work", WAITING,
						false, List.of(4, 4, 4, 1), LONG_WORK)));
	}

	/* Four instances in one JVM. */
	List<Case> inFourContexts() {
		return wanted(List.of(contention("four-contexts", "4 instances in one JVM × 4 callers, one key", WAITING, false,
				Collections.nCopies(4, 4), Duration.ZERO)));
	}

	/* A new JVM for each round. */
	List<Case> renewal() {
		return wanted(List.of(new RenewalCase(this.settings)));
	}

	List<Case> leftovers() {
		return wanted(List.of(new LeftoverCase(this.settings)));
	}

	/* What Redis and its replicas have of locks. */
	List<Case> traces() {
		return wanted(List.of(new NewKeysCase(this.settings), new ReplicationCase(this.settings)));
	}

	/* What may be asked for. */
	static Set<String> ids() {
		Cases all = new Cases(Settings.defaults(), (id) -> true);
		Set<String> ids = Stream
			.of(all.inOneInstance(), all.inFourJvms(), all.inFourContexts(), all.renewal(), all.leftovers(),
					all.traces())
			.flatMap(List::stream)
			.map(Case::id)
			.collect(Collectors.toCollection(TreeSet::new));
		ids.add(JvmBenchmarks.ID);
		return ids;
	}

	private ContentionCase contention(String id, String title, List<Contender> contenders, boolean ownKeys,
			List<Integer> callers, Duration work) {
		Duration length = work.equals(LONG_WORK) ? this.settings.slowLength() : this.settings.length();
		return new ContentionCase(id, title, contenders, ownKeys, callers, work, length, this.settings);
	}

	private static List<Contender> with(List<Contender> contenders, Contender one) {
		return Stream.concat(contenders.stream(), Stream.of(one)).sorted().toList();
	}

	private List<Case> wanted(List<Case> cases) {
		return cases.stream().filter((each) -> this.wanted.test(each.id())).toList();
	}

}
