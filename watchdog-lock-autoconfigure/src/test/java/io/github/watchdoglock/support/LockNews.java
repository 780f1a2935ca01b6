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

package io.github.watchdoglock.support;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of events of locks. Thread-safe.
 */
public final class LockNews implements EngineObserver {

	private final Collection<Item> items = new ConcurrentLinkedQueue<>();

	private final Collection<LockLoss> losses = new ConcurrentLinkedQueue<>();

	/**
	 * Return how often an event happened to any lock.
	 * @param what waiting, renewed, renewal failed, at risk, at risk late (because an
	 * answer was late), recovered, lost, release failed, release failed late (likewise),
	 * release done, release over, or release dropped
	 * @return the count
	 */
	public long count(String what) {
		return this.items.stream().filter((item) -> item.what.equals(what)).count();
	}

	/**
	 * Return how often an event happened to one lock.
	 * @param what as above
	 * @param key the lock
	 * @return the count
	 */
	public long count(String what, LockKey key) {
		return this.items.stream().filter((item) -> item.what.equals(what) && item.key.equals(key)).count();
	}

	/**
	 * Return the losses.
	 * @return the losses, in order
	 */
	public List<LockLoss> losses() {
		return List.copyOf(this.losses);
	}

	@Override
	public void waiting(LockKey key) {
		this.items.add(new Item("waiting", key));
	}

	@Override
	public void renewed(LockKey key, long token) {
		this.items.add(new Item("renewed", key));
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		this.items.add(new Item("renewal failed", key));
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		this.items.add(new Item("at risk", key));
		if (LateAnswers.isLate(cause)) {
			this.items.add(new Item("at risk late", key));
		}
	}

	@Override
	public void recovered(LockKey key, long token) {
		this.items.add(new Item("recovered", key));
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		this.items.add(new Item("abandoned by " + thread, key));
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.items.add(new Item("lost", loss.key()));
		this.losses.add(loss);
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		this.items.add(new Item("release failed", key));
		if (LateAnswers.isLate(cause)) {
			this.items.add(new Item("release failed late", key));
		}
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		this.items.add(new Item("release " + end.name().toLowerCase(Locale.ROOT), key));
	}

	private record Item(String what, LockKey key) {

	}

}
