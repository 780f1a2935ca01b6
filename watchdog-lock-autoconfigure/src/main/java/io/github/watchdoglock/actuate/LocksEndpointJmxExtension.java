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

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;
import org.springframework.lang.Nullable;

/**
 * The {@link EndpointJmxExtension} of {@link LocksEndpoint}: a separate operation for the
 * locks of all instances, which have the same path as those of one instance over HTTP.
 */
@SuppressWarnings("deprecation") // Spring Boot 3.5 accepts only this Nullable for
									// optional parameters
@EndpointJmxExtension(endpoint = LocksEndpoint.class)
public class LocksEndpointJmxExtension {

	private final LocksEndpoint endpoint;

	/**
	 * Create an extension.
	 * @param endpoint the endpoint
	 */
	public LocksEndpointJmxExtension(LocksEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Return the locks of all instances, according to the store.
	 * @param limit the maximum number of entries, up to 1,000; null for 100
	 * @param cursor the cursor of the previous answer; null to begin
	 * @return the locks
	 */
	@ReadOperation
	public AllLocksDescriptor allLocks(@Nullable Integer limit, @Nullable String cursor) {
		return this.endpoint.listAll(cursor, limit);
	}

}
