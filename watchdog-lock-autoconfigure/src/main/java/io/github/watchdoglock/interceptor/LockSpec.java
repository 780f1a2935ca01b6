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

package io.github.watchdoglock.interceptor;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a locked method asks for: its annotation, completed by the defaults.
 *
 * @param name name of the lock
 * @param key the part of the key that comes from arguments, null for one lock per name
 * @param waitTime zero tries once, negative waits without end
 * @param lease the lease
 * @param whenSkipped what is returned in place of the method's result when the lock is
 * not acquired; null to fail instead
 */
record LockSpec(String name, @Nullable KeyExpression key, Duration waitTime, Lease lease,
		@Nullable Supplier<@Nullable Object> whenSkipped) {

	LockRequest request(@Nullable Object target, @Nullable Object[] arguments) {
		String id = (this.key != null) ? this.key.evaluate(target, arguments) : null;
		return new LockRequest(LockKey.of(this.name, id), this.waitTime, this.lease);
	}

}
