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

package io.github.watchdoglock.metrics;

import io.github.watchdoglock.LockKey;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observation of a lock.
 */
public final class LockObservationContext extends Observation.Context {

	private final LockKey key;

	private final String lockName;

	private final Stage stage;

	private volatile @Nullable String outcome;

	private volatile long token;

	LockObservationContext(LockKey key, String lockName, Stage stage, long token) {
		this.key = key;
		this.lockName = lockName;
		this.stage = stage;
		this.token = token;
	}

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	public LockKey getKey() {
		return this.key;
	}

	/**
	 * Return the name of the lock, for key values with low cardinality.
	 * @return the name; {@code other} for names beyond
	 * {@code watchdog-lock.metrics.max-names}
	 */
	public String getLockName() {
		return this.lockName;
	}

	/**
	 * Return the observed stage.
	 * @return waiting or holding
	 */
	public Stage getStage() {
		return this.stage;
	}

	/**
	 * Return how the stage ended: acquired, timeout, interrupted or error; released or
	 * lost.
	 * @return the outcome, null before the end
	 */
	public @Nullable String getOutcome() {
		return this.outcome;
	}

	/**
	 * Return the fencing token.
	 * @return the token, zero if there is none
	 */
	public long getToken() {
		return this.token;
	}

	void setToken(long token) {
		this.token = token;
	}

	void setOutcome(String outcome) {
		this.outcome = outcome;
	}

	/* The values of the default conventions. */
	KeyValues lowCardinality() {
		String outcome = this.outcome;
		return KeyValues.of("lock", this.lockName, "outcome", (outcome != null) ? outcome : KeyValue.NONE_VALUE);
	}

	KeyValues highCardinality() {
		String id = this.key.printableId();
		KeyValues values = (id != null) ? KeyValues.of("lock.key", id) : KeyValues.empty();
		return (this.token != 0) ? values.and("lock.token", Long.toString(this.token)) : values;
	}

	/**
	 * The observed stage of a lock.
	 */
	public enum Stage {

		/**
		 * From the request until the answer.
		 */
		ACQUIRE,

		/**
		 * From acquiring it until its release or loss.
		 */
		HOLD

	}

}
