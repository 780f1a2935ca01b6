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

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The {@link EndpointWebExtension} of {@link LeadersEndpoint}: it returns outcomes as
 * status codes, and records the user in audit events.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 accepts only this Nullable for
									// optional parameters
@EndpointWebExtension(endpoint = LeadersEndpoint.class)
public class LeadersEndpointWebExtension {

	private static final int ACCEPTED = 202;

	private final LeadersEndpoint endpoint;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 */
	public LeadersEndpointWebExtension(LeadersEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Return the roles for which this instance is a candidate, or those of all instances.
	 * @param scope {@code all} to read all roles from the store, with their leaders and
	 * the number of waiting candidates; null for the roles of this instance, without the
	 * store
	 * @param cursor the cursor of the previous answer, with {@code all}; null to begin
	 * @return the roles; unavailable if the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<LeadersEndpoint.LeadersDescriptor> leaders(@Nullable String scope,
			@Nullable String cursor) {
		return WebAnswers.of(() -> new WebEndpointResponse<>(this.endpoint.leaders(scope, cursor)));
	}

	/**
	 * Return one role, according to the store.
	 * @param role its name
	 * @return the role; not found if no instance leads and this instance is not a
	 * candidate; unavailable if the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<LeadersEndpoint.RoleDescriptor> leader(@Selector String role) {
		return WebAnswers.of(() -> {
			LeadersEndpoint.RoleDescriptor found = this.endpoint.leader(role);
			return (found.leader() != null || found.candidate()) ? new WebEndpointResponse<>(found)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

	/**
	 * Request the leader of a role to resign, or take the role by force.
	 * @param security the user of the request
	 * @param role its name
	 * @param force true to take it; null to request the resignation
	 * @return accepted if the leader was requested to resign, no content if the role was
	 * taken; not found if no instance leads; unavailable if the store failed
	 */
	@DeleteOperation
	public WebEndpointResponse<Void> resign(SecurityContext security, @Selector String role, @Nullable Boolean force) {
		boolean forced = Boolean.TRUE.equals(force);
		return WebAnswers.of(() -> {
			boolean led = forced ? this.endpoint.forceResignation(role, WebAnswers.user(security))
					: this.endpoint.requestResignation(role);
			int done = forced ? WebEndpointResponse.STATUS_NO_CONTENT : ACCEPTED;
			return new WebEndpointResponse<>(led ? done : WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

}
