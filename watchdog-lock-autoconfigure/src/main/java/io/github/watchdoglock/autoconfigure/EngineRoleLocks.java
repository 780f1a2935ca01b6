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

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.leader.RoleLocks;
import org.jspecify.annotations.Nullable;

/**
 * The locks that elect leaders. They come from the engine and not from the bean, which
 * {@code @MockitoBean} or {@code @MockitoSpyBean} may have replaced: a request is never
 * granted if a mock has replaced the bean. If the application defines a service of its
 * own, there is no engine, and the locks come from that service.
 *
 * @param service the service that acquires the locks; null if a mock has replaced it
 * @param engine the engine; null if there is none
 */
record EngineRoleLocks(Supplier<? extends @Nullable LockService> service,
		Supplier<? extends @Nullable LockEngine> engine) implements RoleLocks {

	@Override
	public CompletableFuture<LockHandle> ask(LockRequest request) {
		LockService present = this.service.get();
		if (present == null) {
			return new CompletableFuture<>();
		}
		return Objects.requireNonNull(present.acquireAsync(request),
				"LockService.acquireAsync returned null. If the bean is a mock, use @MockitoBean.");
	}

	@Override
	public void forsake(LockHandle handle) {
		LockEngine present = this.engine.get();
		if (present != null) {
			present.forsake(handle.key(), handle.fencingToken());
		}
	}

}
