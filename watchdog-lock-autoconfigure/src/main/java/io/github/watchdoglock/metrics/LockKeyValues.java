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

package io.github.watchdoglock.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The key values of observations of locks.
 */
final class LockKeyValues {

	private static final KeyValue UNENDED = KeyValue.of("outcome", KeyValue.NONE_VALUE);

	private LockKeyValues() {
	}

	static KeyValues low(LockObservationContext context) {
		String outcome = context.getOutcome();
		return KeyValues.of(KeyValue.of("lock", context.getLockName()),
				(outcome != null) ? KeyValue.of("outcome", outcome) : UNENDED);
	}

	static KeyValues high(LockObservationContext context) {
		String id = context.getKey().printableId();
		KeyValues values = (id != null) ? KeyValues.of("lock.key", id) : KeyValues.empty();
		return (context.getToken() != 0) ? values.and("lock.token", Long.toString(context.getToken())) : values;
	}

}
