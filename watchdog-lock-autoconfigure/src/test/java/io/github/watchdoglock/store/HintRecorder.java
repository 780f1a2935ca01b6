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

package io.github.watchdoglock.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A recorder of hints.
 */
public final class HintRecorder implements WakeUps.Hints {

	private final List<String> hints = new CopyOnWriteArrayList<>();

	private final AtomicInteger connections = new AtomicInteger();

	private final AtomicInteger disconnections = new AtomicInteger();

	private final AtomicInteger subscribed = new AtomicInteger();

	private volatile Runnable granted = () -> {
	};

	/**
	 * Run an action when a key may be reserved.
	 * @param action the action
	 */
	public void onGranted(Runnable action) {
		this.granted = action;
	}

	@Override
	public void granted(LockKey key, AttemptId attempt) {
		this.hints.add("granted " + attempt + " " + key);
		this.granted.run();
	}

	@Override
	public void contended(LockKey key, AttemptId attempt, AttemptId by) {
		this.hints.add("contended " + attempt + " " + by + " " + key);
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		this.hints.add("in-use " + attempt + " " + key);
	}

	@Override
	public void forced(LockKey key, AttemptId attempt) {
		this.hints.add("forced " + attempt + " " + key);
	}

	@Override
	public void forceRequested(LockKey key, AttemptId attempt, long token) {
		this.hints.add("force " + attempt + " " + token + " " + key);
	}

	@Override
	public void resignRequested(LockKey key, AttemptId attempt) {
		this.hints.add("asked " + attempt + " " + key);
	}

	@Override
	public void disconnected() {
		this.disconnections.incrementAndGet();
	}

	/* Arrives with each subscription, and concerns no key. */
	@Override
	public void subscribed() {
		this.subscribed.incrementAndGet();
	}

	/**
	 * Return how often the instance was notified that it is subscribed.
	 * @return the count since the beginning
	 */
	public int subscriptions() {
		return this.subscribed.get();
	}

	/* Arrives with each connection, and concerns no key. */
	@Override
	public void connected() {
		this.connections.incrementAndGet();
	}

	/**
	 * Return how often a connection was reported as opened.
	 * @return the count since the beginning
	 */
	public int connections() {
		return this.connections.get();
	}

	/**
	 * Return how often a connection was reported as lost.
	 * @return the count since the beginning
	 */
	public int disconnections() {
		return this.disconnections.get();
	}

	/**
	 * Wait until one hint has arrived, and no other.
	 * @param hint the hint
	 */
	public void awaitOnly(String hint) {
		await().untilAsserted(() -> assertThat(this.hints).containsExactly(hint));
	}

	/**
	 * Wait until a hint has arrived, among others.
	 * @param hint the hint
	 */
	public void awaitHeard(String hint) {
		await().until(() -> heard(hint));
	}

	/**
	 * Return whether a hint has arrived.
	 * @param hint the hint
	 * @return true if it has
	 */
	public boolean heard(String hint) {
		return this.hints.contains(hint);
	}

	/**
	 * Return the hints about a key, in the notation of contributing/protocol/cases.md.
	 * @param key the key
	 * @return the hints in the order in which they arrived
	 */
	public List<String> about(LockKey key) {
		return this.hints.stream()
			.filter((hint) -> hint.endsWith(" " + key))
			.map((hint) -> hint.substring(0, hint.length() - key.toString().length() - 1))
			.toList();
	}

}
