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

package io.github.watchdoglock.redis;

import java.io.Serial;

/**
 * A connection leads to a server that keeps no locks.
 */
class NotPrimaryException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	NotPrimaryException(String what) {
		super(what + ", and locks need the primary: a new connection is opened until one answers");
	}

	/* By an error that only replicas answer. */
	static NotPrimaryException ofReplica(String error) {
		return new NotPrimaryException(
				"this Redis is a replica (" + (error.contains("MASTERDOWN") ? "MASTERDOWN" : "READONLY") + ")");
	}

}
