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

package io.github.watchdoglock.interceptor.declaration;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.key.LockExpression;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a method's lock: one annotation, completed by the defaults.
 *
 * @param name name of the lock
 * @param condition which calls need it, null for all
 * @param key the part of the key that comes from arguments, null for one lock per name
 * @param keys processes a key before it is used
 * @param kind which callers may hold it at the same time
 * @param waitTime zero tries once, negative waits indefinitely
 * @param lease the lease
 * @param minHoldTime how long it stays locked at least, null for no minimum
 * @param maxHoldTime how long it is held at most, null for no maximum
 * @param onLoss what happens when it is lost, not {@link OnLoss#DEFAULT}
 * @param contention what happens when it cannot be acquired in time
 * @param fenced whether transactions under it are fenced
 * @param release when it is released inside a transaction; {@link LockRelease#DEFAULT}:
 * when the call returns, although no one has decided that
 */
record LockSpec(String name, @Nullable LockExpression condition, @Nullable LockExpression key,
		UnaryOperator<LockKey> keys, LockKind kind, Duration waitTime, Lease lease, @Nullable Duration minHoldTime,
		@Nullable Duration maxHoldTime, OnLoss onLoss, Contention contention, boolean fenced, LockRelease release) {

	/*
	 * One request for each lock of the key, without duplicates; none if the condition is
	 * false.
	 */
	List<LockRequest> requests(@Nullable Object target, @Nullable Object[] arguments) {
		if (this.condition != null && !this.condition.isTrue(target, arguments)) {
			return List.of();
		}
		if (this.key == null) {
			return List.of(request(null));
		}
		return this.key.ids(target, arguments).stream().map(this::request).toList();
	}

	private LockRequest request(@Nullable String id) {
		LockRequest request = this.kind.of(this.keys.apply(LockKey.of(this.name, id)))
			.withWaitTime(this.waitTime)
			.withLease(this.lease)
			.withOnLoss(this.onLoss);
		if (this.fenced) {
			request = request.withFenced(true);
		}
		if (this.minHoldTime != null) {
			request = request.withMinHoldTime(this.minHoldTime);
		}
		return (this.maxHoldTime != null) ? request.withMaxHoldTime(this.maxHoldTime) : request;
	}

}
