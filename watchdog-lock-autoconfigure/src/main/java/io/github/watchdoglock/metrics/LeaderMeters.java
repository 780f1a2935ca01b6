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

import java.util.function.ToDoubleFunction;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Meters of an instance's terms.
 */
public final class LeaderMeters implements LeaderListener {

	private final MeterRegistry registry;

	private final LeaderElections elections;

	/**
	 * Create the meters; those of a role are registered when this instance is a candidate
	 * for it.
	 * @param registry the registry for the meters
	 * @param elections the elections of this instance
	 */
	public LeaderMeters(MeterRegistry registry, LeaderElections elections) {
		this.registry = registry;
		this.elections = elections;
		elections.addCandidacyListener((role) -> Guard.run(() -> register(role)));
		elections.addListener(this);
	}

	@Override
	public void granted(LeaderTerm term) {
		Guard.run(() -> changes(term.role(), "granted").increment());
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		Guard.run(() -> changes(term.role(), "revoked").increment());
	}

	/* Counters are registered early: rates miss the increment that creates a counter. */
	private void register(String role) {
		gauge(role, "watchdog.leader", "Whether this instance leads", (status) -> status.leading() ? 1 : 0);
		gauge(role, "watchdog.leader.overdue", "Work that continues although its term has ended", RoleStatus::overdue);
		changes(role, "granted");
		changes(role, "revoked");
	}

	private void gauge(String role, String name, String description, ToDoubleFunction<RoleStatus> value) {
		Gauge.builder(name, this.elections, (all) -> value.applyAsDouble(all.status(role)))
			.description(description)
			.tag("role", role)
			.register(this.registry);
	}

	private Counter changes(String role, String outcome) {
		return new TaggedMeters(this.registry, Tags.of("role", role)).counter("watchdog.leader.changes",
				"Terms of this instance that began and ended", "outcome", outcome);
	}

}
