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

package io.github.watchdoglock.actuate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what an application has to set for the health of its locks to be seen by its
 * path.
 */
class HealthPathTests {

	@Test
	void detailsOrComponentsHaveToBeShown() {
		assertThat(status("management.endpoint.health.show-details=never")).isEqualTo(404);
		assertThat(status("management.endpoint.health.show-details=always")).isEqualTo(200);
		assertThat(status("management.endpoint.health.show-details=never",
				"management.endpoint.health.show-components=always"))
			.isEqualTo(200);
	}

	private static int status(String... shown) {
		String[] properties = new String[shown.length + 2];
		System.arraycopy(shown, 0, properties, 0, shown.length);
		properties[shown.length] = RunningApplication.WITHOUT_SECURITY;
		properties[shown.length + 1] = "watchdog-lock.store=local";
		try (RunningApplication application = RunningApplication.start(properties)) {
			return application.get("health/watchdogLock").status();
		}
	}

}
