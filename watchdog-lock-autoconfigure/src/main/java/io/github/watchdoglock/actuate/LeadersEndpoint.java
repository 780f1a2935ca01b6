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
 * The {@link Endpoint} of roles: their leaders and candidates. If the endpoint's access
 * is unrestricted, a leader can be requested to resign.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 accepts only this Nullable for
									// optional parameters
@Endpoint(id = "leaders", defaultAccess = Access.READ_ONLY)
public class LeadersEndpoint {

	private final LeaderElections elections;

	private final RoleDescriptions descriptions;

	private final Predicate<LockKey> resignationRequest;

	private final ForcedReleases releases;

	/**
	 * Create an endpoint.
	 * @param instance the label of this instance
	 * @param elections the elections of this instance
	 * @param locks reads roles from the store
	 * @param survey searches the roles of all instances
	 * @param resignationRequest requests the leader of a role to resign; returns whether
	 * there is one
	 * @param events publishes audit events
	 */
	public LeadersEndpoint(Supplier<String> instance, LeaderElections elections, LockService locks,
			Supplier<LeaseSurvey> survey, Predicate<LockKey> resignationRequest, ApplicationEventPublisher events) {
		this.elections = elections;
		this.descriptions = new RoleDescriptions(instance, elections, locks, survey);
		this.resignationRequest = resignationRequest;
		this.releases = new ForcedReleases(locks, instance, events, new ShownKeys(new Sanitizer()));
	}

	/**
	 * Return the roles for which this instance is a candidate, or those of all instances.
	 * @param scope {@code all} to read all roles from the store, with their leaders and
	 * the number of waiting candidates; null for the roles of this instance, without the
	 * store
	 * @param cursor the cursor of the previous answer, with {@code all}; null to begin
	 * @return the roles, ordered by name
	 */
	@ReadOperation
	public LeadersDescriptor leaders(@Nullable @org.jspecify.annotations.Nullable String scope,
			@Nullable @org.jspecify.annotations.Nullable String cursor) {
		return SurveyPage.isWanted(scope, cursor) ? this.descriptions.all(cursor) : this.descriptions.own();
	}

	/**
	 * Return one role, according to the store, whether or not this instance is a
	 * candidate for it.
	 * @param role its name
	 * @return the role
	 */
	@ReadOperation
	public RoleDescriptor leader(@Selector String role) {
		key(role);
		return this.descriptions.one(role);
	}

	/**
	 * Request the leader of a role to resign, or take the role by force.
	 * @param role its name
	 * @param force true to take it; null to request the resignation
	 * @return the outcome
	 */
	@DeleteOperation
	public ResignationDescriptor resign(@Selector String role,
			@Nullable @org.jspecify.annotations.Nullable Boolean force) {
		return new ResignationDescriptor(
				Boolean.TRUE.equals(force) ? forceResignation(role, null) : requestResignation(role));
	}

	/* Returns whether there is a leader, which was requested to resign. */
	boolean requestResignation(String role) {
		LockKey key = key(role);
		if (this.elections.status(role).leading()) {
			this.elections.of(role).resign();
			return true;
		}
		return this.resignationRequest.test(key);
	}

	boolean forceResignation(String role, @org.jspecify.annotations.Nullable String principal) {
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
	 * @param roles the roles, ordered by name
	 * @param incomplete whether there may be more, if those of all instances were
	 * requested
	 * @param cursor where the next answer begins; null if everything was searched
	 * @param gaps the parts that could not be searched; null if there are none
	 * @param off why the roles of all instances are not listed; null if they are listed,
	 * or were not requested
	 */
	public record LeadersDescriptor(String instance, List<RoleDescriptor> roles, boolean incomplete,
			@org.jspecify.annotations.Nullable String cursor, @org.jspecify.annotations.Nullable List<String> gaps,
			@org.jspecify.annotations.Nullable String off) implements OperationResponseBody {

	}

	/**
	 * A role, for the endpoint.
	 *
	 * @param role its name
	 * @param leader the leader; null if there is none, or, if the store was not asked, if
	 * it is not this instance
	 * @param term the number of its term
	 * @param remaining how long the term lasts unless it is renewed; null if the store
	 * was not asked
	 * @param candidates how many instances wait to lead; null if the store was not asked
	 * @param candidate whether this instance is a candidate for it, leading or not
	 * @param leading whether this instance leads
	 * @param since since when it leads
	 * @param overdue how many pieces of its work continue although its term has ended
	 */
	public record RoleDescriptor(String role, @org.jspecify.annotations.Nullable String leader,
			@org.jspecify.annotations.Nullable Long term, @org.jspecify.annotations.Nullable Duration remaining,
			@org.jspecify.annotations.Nullable Integer candidates, boolean candidate, boolean leading,
			@org.jspecify.annotations.Nullable Instant since, int overdue) implements OperationResponseBody {

	}

	/**
	 * The result of requesting a leader to resign. Not a plain boolean, which JMX does
	 * not support.
	 *
	 * @param led whether there was a leader
	 */
	public record ResignationDescriptor(boolean led) implements OperationResponseBody {

	}

}
