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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * Shows that a lock that excludes nobody fails a run, before anything is measured.
 */
final class Proof {

	private Proof() {
	}

	static String run(Place place, Settings settings) throws IOException, InterruptedException {
		ContentionCase shape = new ContentionCase("proof", "A lock that excludes nobody", List.of(Contender.NO_LOCK),
				false, Collections.nCopies(4, 4), Duration.ofMillis(1), Duration.ofSeconds(2), settings);
		try (Fleet fleet = Fleet.start(Contender.NO_LOCK, Layout.FOUR_JVMS, place, Fleet.LEASE)) {
			shape.round(fleet, place);
		}
		catch (TaskFailedException ex) {
			return ("" + ex.getMessage()).lines()
				.filter((line) -> line.contains("ExclusionViolation: "))
				.findFirst()
				.map((line) -> line.substring(line.indexOf("Violation: ") + "Violation: ".length()))
				.orElseThrow(() -> ex);
		}
		throw new IllegalStateException("A lock that excludes nobody was not found out: the checks are worth nothing");
	}

}
