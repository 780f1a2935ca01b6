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
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.store.LeaseSurvey;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.lang.Nullable;

/**
 * The {@link Endpoint} of roles: who leads, and who would. A leader can be asked to
 * resign where the endpoint's access is unrestricted.
 */
@SuppressWarnings("deprecation") // The only Nullable by which Spring Boot 3.5 knows an
									// optional parameter
@Endpoint(id = "leaders", defaultAccess = Access.READ_ONLY)
public class LeadersEndpoint {

	private final LeaderElections elections;

	private final RoleDescriptions descriptions;

	private final Predicate<LockKey> asking;

	private final ForcedReleases releases;

	/**
	 * Create an endpoint.
	 * @param instance the label of this instance
	 * @param elections what this instance stands for
	 * @param locks what the store says of roles
	 * @param survey looks at the roles of all instances
	 * @param asking asks whoever leads a role to resign; whether somebody does
	 * @param events where audit events go
	 */
	public LeadersEndpoint(Supplier<String> instance, LeaderElections elections, LockService locks,
			Supplier<LeaseSurvey> survey, Predicate<LockKey> asking, ApplicationEventPublisher events) {
		this.elections = elections;
		this.descriptions = new RoleDescriptions(instance, elections, locks, survey);
		this.asking = asking;
		this.releases = new ForcedReleases(locks, instance, events, new ShownKeys(new Sanitizer()));
	}

	/**
	 * The roles that this instance stands for, or those of all instances.
	 * @param scope {@code all} to ask the store which roles there are, who leads, and how
	 * many wait; null for what this instance knows
	 * @param cursor where the answer before has ended, with all; null to begin
	 * @return the roles, by their names
	 */
	@ReadOperation
	public LeadersDescriptor leaders(@Nullable @org.jspecify.annotations.Nullable String scope,
			@Nullable @org.jspecify.annotations.Nullable String cursor) {
		return SurveyPage.isWanted(scope, cursor) ? this.descriptions.all(cursor) : this.descriptions.own();
	}

	/**
	 * One role, as the store has it, whether or not this instance stands for it.
	 * @param role its name
	 * @return the role
	 */
	@ReadOperation
	public RoleDescriptor leader(@Selector String role) {
		key(role);
		return this.descriptions.one(role);
	}

	/**
	 * Ask whoever leads a role to resign, or take it.
	 * @param role its name
	 * @param force true to take it; null asks
	 * @return what came of it
	 */
	@DeleteOperation
	public ResignationDescriptor resign(@Selector String role,
			@Nullable @org.jspecify.annotations.Nullable Boolean force) {
		return new ResignationDescriptor(Boolean.TRUE.equals(force) ? take(role, null) : ask(role));
	}

	/* Whether somebody leads, who was asked. */
	boolean ask(String role) {
		LockKey key = key(role);
		if (this.elections.status(role).leading()) {
			this.elections.of(role).resign();
			return true;
		}
		return this.asking.test(key);
	}

	boolean take(String role, @org.jspecify.annotations.Nullable String principal) {
		return this.releases.force(key(role), principal, true);
	}

	private static LockKey key(String role) {
		try {
			return LockKey.ofRole(role);
		}
		catch (LockKeyException ex) {
			throw new InvalidEndpointRequestException("" + ex.getMessage(), "The role is blank or too long", ex);
		}
	}

	/**
	 * Roles, for the endpoint.
	 *
	 * @param instance application name and host of this instance
	 * @param roles by their names
	 * @param incomplete whether there may be more, where those of all instances were
	 * asked for
	 * @param cursor where the next answer is to begin; null where everything was looked
	 * at
	 * @param gaps what could not be looked at; null where there is nothing
	 * @param off why the roles of all instances are not listed; null where they are, or
	 * were not asked for
	 */
	public record LeadersDescriptor(String instance, List<RoleDescriptor> roles, boolean incomplete,
			@org.jspecify.annotations.Nullable String cursor, @org.jspecify.annotations.Nullable List<String> gaps,
			@org.jspecify.annotations.Nullable String off) implements OperationResponseBody {

	}

	/**
	 * A role, for the endpoint.
	 *
	 * @param role its name
	 * @param leader who leads; null where nobody does, or, where the store was not asked,
	 * this instance does not
	 * @param term the number of its term
	 * @param remaining how long that lasts unless it is renewed; null where the store was
	 * not asked
	 * @param candidates how many instances wait to lead; null where the store was not
	 * asked
	 * @param standing whether this instance stands for it, leading or not
	 * @param leading whether this instance leads
	 * @param since from when on it does
	 * @param overdue how much of its work goes on though its term is over
	 */
	public record RoleDescriptor(String role, @org.jspecify.annotations.Nullable String leader,
			@org.jspecify.annotations.Nullable Long term, @org.jspecify.annotations.Nullable Duration remaining,
			@org.jspecify.annotations.Nullable Integer candidates, boolean standing, boolean leading,
			@org.jspecify.annotations.Nullable Instant since, int overdue) implements OperationResponseBody {

	}

	/**
	 * What came of asking a leader to resign. Not a mere boolean, which JMX could not
	 * carry.
	 *
	 * @param led whether somebody led
	 */
	public record ResignationDescriptor(boolean led) implements OperationResponseBody {

	}

}
