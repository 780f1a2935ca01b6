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
 * The {@link EndpointWebExtension} of {@link LeadersEndpoint}: outcomes have status
 * codes, and who takes a role stands in the audit.
 */
@SuppressWarnings("deprecation") // The only Nullable by which Spring Boot 3.5 knows an
									// optional parameter
@EndpointWebExtension(endpoint = LeadersEndpoint.class)
public class LeadersEndpointWebExtension {

	private static final int ACCEPTED = 202;

	private final LeadersEndpoint endpoint;

	/**
	 * Create an extension.
	 * @param endpoint does the work
	 */
	public LeadersEndpointWebExtension(LeadersEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * The roles that this instance stands for, or those of all instances.
	 * @param scope {@code all} to ask the store which roles there are, who leads, and how
	 * many wait; null for what this instance knows
	 * @param cursor where the answer before has ended, with all; null to begin
	 * @return the roles; unavailable where the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<LeadersEndpoint.LeadersDescriptor> leaders(@Nullable String scope,
			@Nullable String cursor) {
		return WebAnswers.of(() -> new WebEndpointResponse<>(this.endpoint.leaders(scope, cursor)));
	}

	/**
	 * One role, as the store has it.
	 * @param role its name
	 * @return the role; not found where nobody leads and this instance does not stand,
	 * unavailable where the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<LeadersEndpoint.RoleDescriptor> leader(@Selector String role) {
		return WebAnswers.of(() -> {
			LeadersEndpoint.RoleDescriptor found = this.endpoint.leader(role);
			return (found.leader() != null || found.standing()) ? new WebEndpointResponse<>(found)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

	/**
	 * Ask whoever leads a role to resign, or take it.
	 * @param security who asks
	 * @param role its name
	 * @param force true to take it; null asks
	 * @return accepted where somebody was asked, no content where it was taken; not found
	 * where nobody leads, unavailable where the store failed
	 */
	@DeleteOperation
	public WebEndpointResponse<Void> resign(SecurityContext security, @Selector String role, @Nullable Boolean force) {
		boolean taking = Boolean.TRUE.equals(force);
		return WebAnswers.of(() -> {
			boolean led = taking ? this.endpoint.take(role, WebAnswers.user(security)) : this.endpoint.ask(role);
			int done = taking ? WebEndpointResponse.STATUS_NO_CONTENT : ACCEPTED;
			return new WebEndpointResponse<>(led ? done : WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

}
