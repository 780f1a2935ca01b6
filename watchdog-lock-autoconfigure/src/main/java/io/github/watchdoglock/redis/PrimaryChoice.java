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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * The choice of the primary's address, from the last answer of each sentinel. Not
 * thread-safe.
 * <p>
 * Each failover has its own epoch, and epochs grow. A majority of the sentinels has voted
 * for it, unless an operator has requested a failover from one of them. So an address
 * with a greater epoch than all that were ever reported is followed at once, and one with
 * a smaller epoch is outdated. There are two exceptions. If an operator has changed the
 * primary in the sentinels' configuration, their epochs begin anew. If two sentinels were
 * each requested to fail over, both may use the same epoch. So an address that a majority
 * names is followed too, if no sentinel reports anything newer for a while.
 */
final class PrimaryChoice {

	/*
	 * For this long, a majority may name an address because newer information has not
	 * reached it yet.
	 */
	static final Duration DOUBT = Duration.ofSeconds(10);

	/*
	 * For this long, the last answer of a sentinel is used after it has stopped
	 * answering.
	 */
	static final Duration MEMORY = Duration.ofSeconds(15);

	private final int majority;

	private final Map<Object, Told> told = new HashMap<>();

	private @Nullable RedisNode address;

	/*
	 * The greatest epoch that was ever reported: a sentinel that was away has no news
	 * with a smaller one.
	 */
	private long epoch = -1;

	/*
	 * Since when a majority has named another address, and no newer answer the current
	 * one.
	 */
	private @Nullable Long doubted;

	/**
	 * Create a choice.
	 * @param sentinels the number of sentinels
	 */
	PrimaryChoice(int sentinels) {
		this.majority = sentinels / 2 + 1;
	}

	/* Null until there is a choice. */
	@Nullable RedisNode address() {
		return this.address;
	}

	/* Whether a majority has answered, so that the first choice is not accidental. */
	boolean isSettled() {
		return this.told.size() >= this.majority;
	}

	/**
	 * Record the answer of a sentinel.
	 * @param sentinel the sentinel
	 * @param address the address of the primary
	 * @param epoch the epoch of the failover that made it the primary
	 * @param now the time by {@link System#nanoTime()}
	 */
	void tell(Object sentinel, RedisNode address, long epoch, long now) {
		this.told.put(sentinel, new Told(address, epoch, now));
	}

	/**
	 * Choose, from the answers until now.
	 * @param now the time by {@link System#nanoTime()}
	 * @return whether the choice has changed
	 */
	boolean choose(long now) {
		this.told.values().removeIf((word) -> now - word.at() > MEMORY.toNanos());
		Told newest = newest();
		if (newest == null) {
			this.doubted = null;
			return false;
		}
		if (this.address == null || newest.epoch() > this.epoch) {
			return follow(newest);
		}
		if (newest.address().equals(this.address)) {
			this.doubted = null;
			return false;
		}
		return isBelieved(newest, now) && follow(newest);
	}

	/*
	 * Of several answers with the same epoch, the most frequent one, otherwise the
	 * address that is followed already.
	 */
	private @Nullable Told newest() {
		return this.told.values()
			.stream()
			.max(Comparator.comparingLong(Told::epoch)
				.thenComparingLong((word) -> this.told.values().stream().filter(word::agrees).count())
				.thenComparing((word) -> word.address().equals(this.address)))
			.orElse(null);
	}

	private boolean isBelieved(Told newest, long now) {
		long agreeing = this.told.values().stream().filter((word) -> word.address().equals(newest.address())).count();
		if (agreeing < this.majority) {
			this.doubted = null;
			return false;
		}
		Long doubted = this.doubted;
		if (doubted == null) {
			this.doubted = now;
			return false;
		}
		return now - doubted >= DOUBT.toNanos();
	}

	private boolean follow(Told newest) {
		boolean other = !newest.address().equals(this.address);
		this.address = newest.address();
		this.epoch = Math.max(this.epoch, newest.epoch());
		this.doubted = null;
		return other;
	}

	/**
	 * The answer of a sentinel.
	 *
	 * @param address the address of the primary
	 * @param epoch the epoch of the failover that made it the primary
	 * @param at the time of the answer by {@link System#nanoTime()}
	 */
	private record Told(RedisNode address, long epoch, long at) {

		private boolean agrees(Told other) {
			return this.epoch == other.epoch && this.address.equals(other.address);
		}

	}

}
