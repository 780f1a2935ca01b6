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

import io.github.watchdoglock.listener.Instrumentation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;

/**
 * Makes the observation of a hold the current one while work is done under the hold.
 * Afterwards the previous observation is current again, even if handlers throw.
 */
final class HoldScope {

	private final ObservationRegistry registry;

	private final Observation.@Nullable Scope outer;

	HoldScope(ObservationRegistry registry) {
		this.registry = registry;
		this.outer = registry.getCurrentObservationScope();
	}

	/* The result must be run when the work has ended. */
	Runnable open(Observation hold) {
		if (isWithin(hold)) {
			return Instrumentation.NOTHING;
		}
		try {
			Observation.Scope scope = hold.openScope();
			return () -> close(scope);
		}
		catch (Throwable ex) {
			// Some handlers may have opened their scopes.
			close(this.registry.getCurrentObservationScope());
			throw ex;
		}
	}

	/*
	 * True for the work of a re-entry, even if there is another observation in between.
	 */
	private boolean isWithin(Observation hold) {
		ObservationView current = this.registry.getCurrentObservation();
		while (current != null && current != hold) {
			current = current.getContextView().getParentObservation();
		}
		return current != null;
	}

	private void close(Observation.@Nullable Scope scope) {
		try {
			if (scope != null && scope != this.outer) {
				scope.close();
			}
		}
		finally {
			this.registry.setCurrentObservationScope(this.outer);
		}
	}

}
