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

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * An adapter of {@link LockHealth} to the health indicators of Spring Boot 4.
 */
public final class LockHealthIndicator implements HealthIndicator {

	private final LockHealth health;

	/**
	 * Create an indicator.
	 * @param health the health that it reports
	 */
	public LockHealthIndicator(LockHealth health) {
		this.health = health;
	}

	@Override
	public Health health() {
		LockHealth.Report report = this.health.report();
		return (report.inService() ? Health.up() : Health.outOfService()).withDetails(report.details()).build();
	}

}
