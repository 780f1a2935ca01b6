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

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.actuate.LeadersEndpoint.LeadersDescriptor;
import io.github.watchdoglock.actuate.LeadersEndpoint.RoleDescriptor;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleStatus;
import io.github.watchdoglock.store.LeaseSurvey;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions of roles for the endpoint: those for which this instance is a candidate,
 * and those that other instances lead.
 *
 * @param instance the label of this instance
 * @param elections the elections of this instance
 * @param locks reads a role from the store
 * @param survey searches the roles of all instances
 */
record RoleDescriptions(Supplier<String> instance, LeaderElections elections, LockService locks,
		Supplier<LeaseSurvey> survey) {

	private static final int MAX_ROLES = 1_000;

	LeadersDescriptor own() {
		return new LeadersDescriptor(this.instance.get(), list(false), false, null, null, null);
	}

	/* Roles for which this instance is a candidate are read from the store one by one. */
	LeadersDescriptor all(@Nullable String cursor) {
		List<RoleDescriptor> own = (cursor != null) ? List.of() : list(true);
		SurveyPage page = SurveyPage.of(this.survey.get().look(cursor, MAX_ROLES));
		return new LeadersDescriptor(this.instance.get(), with(own, page.locks()), page.incomplete(), page.cursor(),
				page.gaps(), page.off());
	}

	RoleDescriptor one(String role) {
		return describe(this.elections.status(role), find(role));
	}

	private List<RoleDescriptor> list(boolean asked) {
		return this.elections.list()
			.stream()
			.filter(RoleDescriptions::isOwn)
			.map((status) -> describe(status, asked ? find(status.role()) : null))
			.toList();
	}

	private List<RoleDescriptor> with(List<RoleDescriptor> own, List<LockState> found) {
		Set<String> known = own.stream().map(RoleDescriptor::role).collect(Collectors.toSet());
		Stream<RoleDescriptor> others = found.stream()
			.filter((state) -> !known.contains(role(state)) && !isOwn(this.elections.status(role(state))))
			.map((state) -> describe(this.elections.status(role(state)), state));
		return Stream.concat(own.stream(), others).sorted(Comparator.comparing(RoleDescriptor::role)).toList();
	}

	/* The first page contains all roles of this instance, so later pages omit them. */
	private static boolean isOwn(RoleStatus status) {
		return status.candidate() || status.overdue() > 0;
	}

	private static String role(LockState state) {
		return Objects.requireNonNull(state.key().id());
	}

	private @Nullable LockState find(String role) {
		return this.locks.find(LockKey.ofRole(role)).orElse(null);
	}

	private RoleDescriptor describe(RoleStatus status, @Nullable LockState state) {
		Duration remaining = (state != null) ? state.remaining() : null;
		Integer candidates = (state != null) ? state.waiting() : null;
		String leader = (state != null) ? state.holder() : status.leading() ? this.instance.get() : null;
		Long term = (state != null) ? Long.valueOf(state.token()) : status.leading() ? status.term() : null;
		return new RoleDescriptor(status.role(), leader, term, remaining, candidates, status.candidate(),
				status.leading(), status.since(), status.overdue());
	}

}
