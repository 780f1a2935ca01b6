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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.List;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.samples.flashsale.NightlyReport;
import io.github.watchdoglock.samples.flashsale.SalesExport;
import io.github.watchdoglock.samples.flashsale.SalesReport;
import io.github.watchdoglock.samples.flashsale.SlowShop.Protection;
import io.github.watchdoglock.samples.flashsale.StockLevel;
import io.github.watchdoglock.samples.flashsale.watch.Instance.Hold;

/**
 * Everything that the page shows at one moment. The locks are derived from what the
 * instances report, so that the two never contradict each other.
 *
 * @param at the moment, in ms since 1970
 * @param redisAnswers whether Redis answers
 * @param sales what is left and sold of each article
 * @param locks the locks, and the role as the first one
 * @param instances the running instances
 * @param events the latest events, the last one first
 */
record Snapshot(long at, boolean redisAnswers, List<StockLevel> sales, List<Lock> locks, List<Instance> instances,
		List<Event> events) {

	private static final List<String> KEYS = List.of(NightlyReport.ROLE,
			LockKey.of("flash-sale", CustomerRush.LOCKED_SKU).toString(), LastPhone.lock(Protection.PLAIN).toString(),
			LastPhone.lock(Protection.CHECKED).toString(), LastPhone.lock(Protection.FENCED).toString(),
			SalesReport.LOCK.toString(), SalesExport.LOCK.toString());

	/*
	 * Instances report at different moments, and a lock may have been handed on in
	 * between. The hold with the greater token is the later one.
	 */
	static Snapshot of(long at, boolean redisAnswers, List<StockLevel> sales, List<Instance> reported,
			List<Event> events) {
		List<Hold> holds = reported.stream()
			.flatMap((instance) -> instance.holds().stream())
			.filter((hold) -> hold.until() > at)
			.toList();
		List<Instance> instances = reported.stream()
			.map((instance) -> instance
				.withHolds(instance.holds().stream().filter((hold) -> isCurrent(hold, holds)).toList()))
			.toList();
		List<Lock> locks = KEYS.stream().map((key) -> lock(key, at, redisAnswers, instances)).toList();
		return new Snapshot(at, redisAnswers, sales, locks, instances, events);
	}

	private static boolean isCurrent(Hold hold, List<Hold> holds) {
		int permits = hold.key().equals(SalesExport.LOCK.toString()) ? SalesExport.PERMITS : 1;
		return KEYS.contains(hold.key()) && holds.contains(hold)
				&& holds.stream()
					.filter((other) -> other.key().equals(hold.key()) && other.token() > hold.token())
					.count() < permits;
	}

	private static Lock lock(String key, long at, boolean redisAnswers, List<Instance> instances) {
		List<Hold> holds = instances.stream()
			.flatMap((instance) -> instance.holds().stream())
			.filter((hold) -> hold.key().equals(key))
			.toList();
		List<String> holders = urls(instances, (instance) -> instance.holds().stream().map(Hold::key).toList(), key);
		List<String> unlocked = urls(instances, Instance::unlocked, key);
		long waiting = key.equals(NightlyReport.ROLE) ? instances.size() - holders.size()
				: instances.stream().mapToLong((instance) -> instance.waiting().getOrDefault(key, 0L)).sum();
		State state = state(!holders.isEmpty(), !unlocked.isEmpty(), waiting > 0, redisAnswers);
		return new Lock(key, state, holders, holds.stream().mapToLong(Hold::token).max().orElse(0),
				holds.stream().mapToLong((hold) -> hold.until() - at).min().orElse(0), waiting, unlocked);
	}

	private static State state(boolean held, boolean lost, boolean waiting, boolean redisAnswers) {
		if (held) {
			return redisAnswers ? State.HELD : State.AT_RISK;
		}
		if (lost) {
			return State.LOST;
		}
		return waiting ? State.AWAITED : State.FREE;
	}

	private static List<String> urls(List<Instance> instances, Function<Instance, List<String>> keys, String key) {
		return instances.stream()
			.flatMap((instance) -> keys.apply(instance).stream().filter(key::equals).map((held) -> instance.url()))
			.toList();
	}

	/**
	 * A lock or a role.
	 *
	 * @param key the lock or role
	 * @param state its state
	 * @param holders the instances that hold it, one for each permit
	 * @param token the latest fencing token, or the number of the term; zero if it is not
	 * held
	 * @param remaining how long the lease lasts unless it is renewed, in ms; the shortest
	 * of several
	 * @param waiting how many callers wait for it, or how many instances are candidates
	 * @param unlocked the instances that lost it and still run the work
	 */
	record Lock(String key, State state, List<String> holders, long token, long remaining, long waiting,
			List<String> unlocked) {

	}

	/**
	 * The states of a lock.
	 */
	enum State {

		/**
		 * No instance holds it, and no caller waits for it.
		 */
		FREE,

		/**
		 * Callers wait, and none of them holds it at this moment.
		 */
		AWAITED,

		/**
		 * It is held.
		 */
		HELD,

		/**
		 * It is held, and cannot be renewed, because Redis does not answer.
		 */
		AT_RISK,

		/**
		 * No instance holds it, and the work of one that lost it continues.
		 */
		LOST

	}

}
