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

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and key values of the observation of holding a lock. Methods that a bean of
 * this type overrides replace the methods of this interface.
 */
public interface LockHoldObservationConvention extends ObservationConvention<LockObservationContext> {

	/**
	 *
	 * Return {@code watchdog.lock.hold}.
	 *
	 */
	@Override
	default String getName() {
		return "watchdog.lock.hold";
	}

	/**
	 * Return {@code lock}, the name of the lock, and {@code outcome}: released or lost,
	 * {@code none} before the end.
	 */
	@Override
	default KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
		return context.lowCardinality();
	}

	/**
	 * Return {@code lock.key} if the lock has an id, and {@code lock.token} as soon as
	 * there is a token.
	 */
	@Override
	default KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
		return context.highCardinality();
	}

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LockObservationContext lock && lock.getStage() == LockObservationContext.Stage.HOLD;
	}

}
