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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockServiceClosedException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The answer of a web application whose request fails because a lock is busy, or because
 * the application is stopping: 503 without the key and the holder. Handlers of the
 * application take precedence.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class BusyLockAdvice {

	private final HttpHeaders headers = new HttpHeaders();

	BusyLockAdvice(@Nullable Duration retryAfter) {
		if (retryAfter != null) {
			this.headers.set(HttpHeaders.RETRY_AFTER, String.valueOf(Math.max(retryAfter.toSeconds(), 1)));
		}
	}

	/* The parameter is the exception itself, the annotation also matches its cause. */
	@ExceptionHandler({ LockNotAcquiredException.class, LockServiceClosedException.class })
	ResponseEntity<ProblemDetail> handle(Throwable failure) throws Throwable {
		boolean busy = failure instanceof LockNotAcquiredException;
		if (!busy && !(failure instanceof LockServiceClosedException)) {
			throw failure;
		}
		return ResponseEntity
			.of(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
					busy ? "Another request is being processed. Try again later." : "The application is stopping."))
			.headers(this.headers)
			.build();
	}

}
