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

package io.github.watchdoglock.snippets;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The answer to a web caller whose lock cannot be acquired, as shown in the
 * documentation.
 */
@RestControllerAdvice
class LockErrors {

	@ExceptionHandler({ LockNotAcquiredException.class, LockStoreException.class, LockServiceClosedException.class })
	ResponseEntity<String> busy(LockException ex) {
		return ResponseEntity.status(503).header("Retry-After", "1").body("Busy, try again in a second");
	}

}
