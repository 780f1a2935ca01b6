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

package io.github.watchdoglock.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;

/**
 * A recorder of the notifications of an engine that finds duplicates.
 */
final class News implements EngineObserver {

	private final Tally tally;

	private final Map<String, Integer> ofHolds = new HashMap<>();

	/** Whether it throws exceptions that observers must not throw. */
	private final boolean throwing;

	News(Tally tally, boolean throwing) {
		this.tally = tally;
		this.throwing = throwing;
	}

	private void misbehave() {
		if (this.throwing) {
			this.tally.fault("observer threw");
			throw new IllegalStateException("on purpose");
		}
	}

	/* Notifications of a hold that were sent more than once; empty if there are none. */
	String twice() {
		StringBuilder twice = new StringBuilder();
		this.ofHolds.forEach((news, count) -> twice
			.append((count > 1 && !isOfReaders(news)) ? news + " was told " + count + " times; " : ""));
		return twice.toString();
	}

	/* Other readers may have the same token. */
	private static boolean isOfReaders(String news) {
		return news.contains(Wish.READ + ":");
	}

	long begun() {
		return this.ofHolds.entrySet()
			.stream()
			.filter((news) -> news.getKey().startsWith("acquired"))
			.mapToInt(Map.Entry::getValue)
			.sum();
	}

	/* Holds whose begin was notified, but not their end. */
	String open() {
		return this.ofHolds.keySet()
			.stream()
			.filter((news) -> news.startsWith("acquired"))
			.filter((news) -> this.ofHolds.getOrDefault(news.replace("acquired", "ended"), 0) < this.ofHolds.get(news))
			.map((news) -> news + " and has not ended; ")
			.collect(Collectors.joining());
	}

	private void once(String what, LockKey key, long token) {
		this.ofHolds.merge(what + " " + key + " " + token, 1, Integer::sum);
	}

	@Override
	public void unconfirmed(LockKey key) {
		this.tally.engine("unconfirmed");
		misbehave();
	}

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		this.tally.engine("acquired");
		once("acquired", key, token);
		misbehave();
	}

	@Override
	public void notAcquired(LockKey key, Outcome outcome, Duration waited) {
		this.tally.engine("not acquired: " + outcome);
	}

	@Override
	public void renewed(LockKey key, long token) {
		this.tally.engine("renewed");
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		this.tally.engine("at risk");
	}

	@Override
	public void recovered(LockKey key, long token) {
		this.tally.engine("recovered");
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		this.tally.engine("long hold");
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.tally.engine("lost: " + loss.reason());
		once("ended", loss.key(), loss.token());
		misbehave();
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		this.tally.engine("released");
		once("ended", key, token);
		misbehave();
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		this.tally.engine("release failed");
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		this.tally.engine("repeated: " + end);
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		this.tally.engine("handed off: " + scope);
	}

	@Override
	public void idleBegun(LockKey key) {
		this.tally.engine("idle");
	}

}
