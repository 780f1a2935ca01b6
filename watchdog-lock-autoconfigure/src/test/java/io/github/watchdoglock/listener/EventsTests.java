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

package io.github.watchdoglock.listener;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Events}.
 */
class EventsTests {

	@Test
	void everyEventOfEngineObserverIsOverridden() {
		List<Method> inherited = Stream.of(Events.class.getMethods())
			.filter((method) -> method.isDefault() && !method.getName().startsWith("receives"))
			.filter((method) -> method.getDeclaringClass() == EngineObserver.class)
			.toList();
		assertThat(inherited).as("events that no observer would be notified of").isEmpty();
	}

}
