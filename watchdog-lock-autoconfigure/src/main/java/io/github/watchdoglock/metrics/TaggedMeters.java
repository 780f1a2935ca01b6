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

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Registers meters that have some tags in common.
 *
 * @param registry the registry for the meters
 * @param tags the tags of all these meters
 */
record TaggedMeters(MeterRegistry registry, Tags tags) {

	Timer timer(String name, String description, String... more) {
		return Timer.builder(name).description(description).tags(this.tags.and(more)).register(this.registry);
	}

	Counter counter(String name, String description, String... more) {
		return Counter.builder(name).description(description).tags(this.tags.and(more)).register(this.registry);
	}

}
