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

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.watchdoglock.listener.SelectiveListener.End;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The meters of what is repeated because it failed; of no single lock, since most of them
 * fail together.
 */
final class RepeatMeters {

	private final Map<End, Counter> releases = new EnumMap<>(End.class);

	RepeatMeters(MeterRegistry registry) {
		for (End end : End.values()) {
			this.releases.put(end,
					Counter.builder("watchdog.lock.releases.repeated")
						.description("Releases that had failed, and what their repetition came to")
						.tag("outcome", end.name().toLowerCase(Locale.ROOT))
						.register(registry));
		}
	}

	Counter releases(End end) {
		return Objects.requireNonNull(this.releases.get(end));
	}

}
