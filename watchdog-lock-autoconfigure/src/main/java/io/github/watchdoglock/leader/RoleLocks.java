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

package io.github.watchdoglock.leader;

import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;

/**
 * The locks that elect leaders. Thread-safe.
 */
public interface RoleLocks {

	/**
	 * Request the lock of a role. Does not block.
	 * @param request the request, which waits indefinitely
	 * @return completed with a detached handle; cancelling it ends the wait
	 */
	CompletableFuture<LockHandle> requestLock(LockRequest request);

	/**
	 * Stop renewing a lock, and do not release it either: its lease expires, or ends when
	 * the handle is closed after all.
	 * @param handle the handle of the lock
	 */
	void stopRenewing(LockHandle handle);

}
