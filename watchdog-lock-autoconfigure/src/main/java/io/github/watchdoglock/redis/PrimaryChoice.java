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
 * Which address is the primary's, by what each sentinel said last. Not thread-safe.
 * <p>
 * Each failover has an epoch of its own, which grows, and which a majority of the
 * sentinels has voted for unless somebody has asked one of them for it; so one that is
 * greater than all that were ever told counts at once, and what is older is late. Where
 * the sentinels were told of another primary by hand their epochs begin anew, and two who
 * were asked for a failover each may give it the same epoch: then a majority is believed
 * that has said so, while nobody said anything newer, for a while.
 */
final class PrimaryChoice {

	/* For which what a majority says may be what it has not heard of yet. */
	static final Duration DOUBT = Duration.ofSeconds(10);

	/* For which the word of a sentinel counts that is not there any more. */
	static final Duration MEMORY = Duration.ofSeconds(15);

	private final int majority;

	private final Map<Object, Told> told = new HashMap<>();

	private @Nullable RedisNode address;

	/* The greatest that was ever told: one that was away tells no news by less. */
	private long epoch = -1;

	/* Since when nobody has said what is followed. */
	private @Nullable Long doubted;

	/**
	 * Create a choice.
	 * @param sentinels how many there are
	 */
	PrimaryChoice(int sentinels) {
		this.majority = sentinels / 2 + 1;
	}

	/* Null until there is one. */
	@Nullable RedisNode address() {
		return this.address;
	}

	/* A majority was heard, so the first choice is no accident. */
	boolean isSettled() {
		return this.told.size() >= this.majority;
	}

	/**
	 * A sentinel has answered.
	 * @param sentinel which one
	 * @param address where the primary is
	 * @param epoch of the failover that made it the primary
	 * @param now by {@link System#nanoTime()}
	 */
	void tell(Object sentinel, RedisNode address, long epoch, long now) {
		this.told.put(sentinel, new Told(address, epoch, now));
	}

	/**
	 * Choose, by what was told until now.
	 * @param now by {@link System#nanoTime()}
	 * @return whether there is another choice than before
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

	/* Of some that are as new, what most of them say, else what is followed already. */
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
	 * What a sentinel said.
	 *
	 * @param address where the primary is
	 * @param epoch of the failover that made it the primary
	 * @param at when, by {@link System#nanoTime()}
	 */
	private record Told(RedisNode address, long epoch, long at) {

		private boolean agrees(Told other) {
			return this.epoch == other.epoch && this.address.equals(other.address);
		}

	}

}
