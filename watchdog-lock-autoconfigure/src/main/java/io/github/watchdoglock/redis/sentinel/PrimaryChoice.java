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

package io.github.watchdoglock.redis.sentinel;

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
	static final Duration CONFIRMATION_TIME = Duration.ofSeconds(10);

	/*
	 * For this long, the last answer of a sentinel is used after it has stopped
	 * answering.
	 */
	static final Duration ANSWER_LIFETIME = Duration.ofSeconds(15);

	private final int majority;

	private final Map<Object, Answer> answers = new HashMap<>();

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
	private @Nullable Long disputedSince;

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
		return this.answers.size() >= this.majority;
	}

	/**
	 * Record the answer of a sentinel.
	 * @param sentinel the sentinel
	 * @param address the address of the primary
	 * @param epoch the epoch of the failover that made it the primary
	 * @param now the time by {@link System#nanoTime()}
	 */
	void recordAnswer(Object sentinel, RedisNode address, long epoch, long now) {
		this.answers.put(sentinel, new Answer(address, epoch, now));
	}

	/**
	 * Choose, from the answers until now.
	 * @param now the time by {@link System#nanoTime()}
	 * @return whether the choice has changed
	 */
	boolean choose(long now) {
		this.answers.values().removeIf((answer) -> now - answer.at() > ANSWER_LIFETIME.toNanos());
		Answer newest = newest();
		if (newest != null && (this.address == null || newest.epoch() > this.epoch)) {
			return follow(newest);
		}
		if (newest == null || newest.address().equals(this.address) || !isOfMajority(newest)) {
			this.disputedSince = null;
			return false;
		}
		Long disputedSince = this.disputedSince;
		if (disputedSince == null) {
			this.disputedSince = now;
			return false;
		}
		return now - disputedSince >= CONFIRMATION_TIME.toNanos() && follow(newest);
	}

	/*
	 * Of several answers with the same epoch, the most frequent one, otherwise the
	 * address that is followed already.
	 */
	private @Nullable Answer newest() {
		return this.answers.values()
			.stream()
			.max(Comparator.comparingLong(Answer::epoch)
				.thenComparingLong((answer) -> this.answers.values().stream().filter(answer::agrees).count())
				.thenComparing((answer) -> answer.address().equals(this.address)))
			.orElse(null);
	}

	private boolean isOfMajority(Answer newest) {
		return this.answers.values()
			.stream()
			.filter((answer) -> answer.address().equals(newest.address()))
			.count() >= this.majority;
	}

	private boolean follow(Answer newest) {
		boolean other = !newest.address().equals(this.address);
		this.address = newest.address();
		this.epoch = Math.max(this.epoch, newest.epoch());
		this.disputedSince = null;
		return other;
	}

	/**
	 * The answer of a sentinel.
	 *
	 * @param address the address of the primary
	 * @param epoch the epoch of the failover that made it the primary
	 * @param at the time of the answer by {@link System#nanoTime()}
	 */
	private record Answer(RedisNode address, long epoch, long at) {

		private boolean agrees(Answer other) {
			return this.epoch == other.epoch && this.address.equals(other.address);
		}

	}

}
