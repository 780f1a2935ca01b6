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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;
import org.jspecify.annotations.Nullable;

/**
 * A listener that records each notification as a word.
 */
final class RecordingListener implements EngineObserver {

	final Collection<String> heard = new ConcurrentLinkedQueue<>();

	/** The delay of each renewal, in the order in which they were sent. */
	final Collection<Duration> lateness = new ConcurrentLinkedQueue<>();

	/** The response time of each renewal, in the order in which they were sent. */
	final Collection<Duration> answers = new ConcurrentLinkedQueue<>();

	/** The waiting times of callers, in the order of their outcomes. */
	final Collection<Duration> waited = new ConcurrentLinkedQueue<>();

	/** The hold times of locks, in the order of their ends. */
	final Collection<Duration> held = new ConcurrentLinkedQueue<>();

	final AtomicInteger renewalsGone = new AtomicInteger();

	/** The time left of the last lease at risk, or the length of the last long hold. */
	volatile Duration length = Duration.ZERO;

	volatile @Nullable String abandonedBy;

	volatile List<StackTraceElement> stack = List.of();

	long count(String word) {
		return this.heard.stream().filter(word::equals).count();
	}

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		this.waited.add(waited);
		this.heard.add("acquired");
	}

	@Override
	public void notAcquired(LockKey key, Outcome outcome, Duration waited) {
		this.waited.add(waited);
		this.heard.add("not acquired: " + outcome);
	}

	@Override
	public void renewed(LockKey key, long token) {
		this.heard.add("renewed");
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		this.heard.add("renewal failed");
	}

	@Override
	public void unconfirmed(LockKey key) {
		this.heard.add("unconfirmed");
	}

	@Override
	public void idleBegun(LockKey key) {
		this.heard.add("idle");
	}

	@Override
	public void idleEnded(LockKey key) {
		this.heard.add("no longer idle");
	}

	@Override
	public void renewalGone(LockKey key, long token) {
		this.renewalsGone.incrementAndGet();
	}

	@Override
	public void renewalSent(long lateness) {
		this.lateness.add(Duration.ofNanos(lateness));
	}

	@Override
	public void commandEnded(Command command, long took, @Nullable Throwable failure) {
		if (command == Command.RENEW && failure == null) {
			this.answers.add(Duration.ofNanos(took));
		}
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		this.length = remaining;
		this.heard.add("at risk");
	}

	@Override
	public void recovered(LockKey key, long token) {
		this.heard.add("recovered");
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		this.length = held;
		this.stack = stack;
		this.heard.add("long hold");
	}

	@Override
	public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		this.length = held;
		this.stack = stack;
		this.heard.add("max hold exceeded");
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		this.abandonedBy = thread;
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.held.add(held);
		this.heard.add("lost: " + loss.reason());
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		this.held.add(held);
		this.heard.add("released");
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		this.heard.add("release failed: " + cause.getClass().getSimpleName());
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		this.heard.add("release repeated: " + end);
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		this.heard.add("handed off: " + scope);
	}

}
