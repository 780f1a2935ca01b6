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

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.run.Fleet.Shape;

/**
 * The cases of locks that several callers may hold, and of the order of waiting callers.
 */
final class KindCases {

	private static final List<Integer> FOUR_BY_8 = Collections.nCopies(4, 8);

	/*
	 * Redisson's callers that receive no message about a released lock try again when its
	 * lease has expired, so the lease has its default length.
	 */
	private static final Shape FOUR_JVMS = new Shape(4, 1, Duration.ofSeconds(30), 0);

	private static final List<Contender> SHARING = List.of(Contender.WATCHDOG_LOCK, Contender.REDISSON,
			Contender.ONE_JVM);

	private static final List<Contender> ORDERED = List.of(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_IN_ORDER,
			Contender.REDISSON, Contender.ONE_JVM);

	private KindCases() {
	}

	/*
	 * Cases without work come first, because JVMs that sleep most of the time warm up
	 * slowly.
	 */
	static List<Case> all(Options options) {
		return List.of(of("readers", "4 instances × 8 callers, 90 % readers", SHARING, 0, Mix.READERS, options),
				of("readers-work", "4 instances × 8 callers, 90 % readers, 1 ms of work", SHARING, 1, Mix.READERS,
						options),
				of("permits", "4 instances × 8 callers, " + Use.PERMITS + " permits", SHARING, 0, Mix.PERMITS, options),
				of("permits-work", "4 instances × 8 callers, " + Use.PERMITS + " permits, 1 ms of work", SHARING, 1,
						Mix.PERMITS, options),
				of("order", "Order: 4 instances × 8 callers, one key", ORDERED, 0, Mix.EXCLUSIVE, options),
				of("order-work", "Order: 4 instances × 8 callers, one key, 1 ms of work", ORDERED, 1, Mix.EXCLUSIVE,
						options),
				new Case("permits-held", HeldPermits.title(options), new Shape(4, 1, options.permitLease(), 1),
						List.of(Contender.WATCHDOG_LOCK), HeldPermits::measure));
	}

	private static Case of(String id, String title, List<Contender> contenders, int workMillis, Mix mix,
			Options options) {
		return new Case(id, title, FOUR_JVMS, contenders, new ContentionRound(id, false, FOUR_BY_8,
				Duration.ofMillis(workMillis), Duration.ZERO, mix, mix == Mix.EXCLUSIVE, options.length()));
	}

}
