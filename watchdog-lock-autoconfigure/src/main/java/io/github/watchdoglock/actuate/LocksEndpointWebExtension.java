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

import java.util.Set;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The {@link EndpointWebExtension} of {@link LocksEndpoint}: the user of a request
 * decides whether keys are shown, and is recorded in audit events, and outcomes have
 * status codes.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 accepts only this Nullable for
									// optional parameters
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public class LocksEndpointWebExtension {

	private static final int NOT_IMPLEMENTED = 501;

	private final LocksEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 * @param showValues when keys are shown
	 * @param roles the roles of users to whom keys are shown, if that depends on roles
	 */
	public LocksEndpointWebExtension(LocksEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	/**
	 * Return the locks that this instance holds or waits for, or the locks of all
	 * instances.
	 * @param security the user of the request
	 * @param limit the maximum number of entries, up to 1,000; null for 100
	 * @param stack whether to include the stacks of the threads that hold them, which
	 * needs unrestricted access
	 * @param scope {@code all} for the locks of all instances, null for those of this one
	 * @param cursor with {@code all}: the cursor of the previous answer; null to begin
	 * @return the locks; not implemented, with the reason, if the locks of all instances
	 * cannot be listed; unavailable if the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> locks(SecurityContext security, @Nullable Integer limit,
			@Nullable Boolean stack, @Nullable String scope, @Nullable String cursor) {
		Listing listing = listing(security, limit, stack);
		if (!this.endpoint.isAll(scope, cursor, listing)) {
			return new WebEndpointResponse<>(this.endpoint.list(listing));
		}
		return WebAnswers.of(() -> {
			AllLocksDescriptor all = this.endpoint.listAll(cursor, listing);
			return new WebEndpointResponse<>(all,
					(all.off() != null) ? NOT_IMPLEMENTED : WebEndpointResponse.STATUS_OK);
		});
	}

	/**
	 * Return the locks of one name that this instance holds or waits for, and the state
	 * of one of its keys in the store.
	 * @param security the user of the request
	 * @param name name of the locks
	 * @param key id of the lock to be looked up in the store; empty for the lock without
	 * an id, null for none
	 * @param limit the maximum number of entries, up to 1,000; null for 100
	 * @param stack whether to include the stacks of the threads that hold them, which
	 * needs unrestricted access
	 * @return the locks; not found if a key was requested that is not held, waited for or
	 * idle; unavailable if the store failed
	 */
	@ReadOperation
	public WebEndpointResponse<LocksDescriptor> lock(SecurityContext security, @Selector String name,
			@Nullable String key, @Nullable Integer limit, @Nullable Boolean stack) {
		Listing listing = listing(security, limit, stack);
		return WebAnswers.of(() -> {
			LocksDescriptor found = this.endpoint.find(name, key, listing);
			return (found != null) ? new WebEndpointResponse<>(found)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

	/**
	 * Take a lock from its holders by force.
	 * @param security the user of the request
	 * @param name its name
	 * @param key its id; null or empty for the lock without an id
	 * @return nothing; not found if the lock was not held; unavailable if the store
	 * failed, and the lock may have been taken or not
	 */
	@DeleteOperation
	public WebEndpointResponse<Void> forceRelease(SecurityContext security, @Selector String name,
			@Nullable String key) {
		return WebAnswers.of(() -> {
			boolean released = this.endpoint.force(name, key, WebAnswers.user(security),
					this.showValues.isShown(security, this.roles));
			return new WebEndpointResponse<>(
					released ? WebEndpointResponse.STATUS_NO_CONTENT : WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

	private Listing listing(SecurityContext security, @Nullable Integer limit, @Nullable Boolean stack) {
		return this.endpoint.listing(limit, stack, this.showValues.isShown(security, this.roles));
	}

}
