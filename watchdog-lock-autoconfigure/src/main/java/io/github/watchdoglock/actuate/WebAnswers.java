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

import java.security.Principal;
import java.util.function.Supplier;

import io.github.watchdoglock.LockStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The common parts of the web extensions.
 */
final class WebAnswers {

	private WebAnswers() {
	}

	/* Unavailable if the store fails. */
	static <T> WebEndpointResponse<T> of(Supplier<WebEndpointResponse<T>> answer) {
		try {
			return answer.get();
		}
		catch (LockStoreException ex) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	/* The name of the user who sent the request, null if that is not known. */
	static @Nullable String user(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? principal.getName() : null;
	}

}
