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

import java.time.Duration;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

import org.springframework.context.annotation.Bean;

/**
 * Locks of this project for what takes others', as the page on migrating shows them.
 */
class ForeignLocks {

	@Bean
	LockProvider lockProvider(LockService locks) {
		return (job) -> {
			LockRequest request = LockRequest.of(job.getName())
				.withWaitTime(Duration.ZERO)
				.withMinHoldTime(job.getLockAtLeastFor())
				.withMaxHoldTime(job.getLockAtMostFor());
			try {
				return locks.tryAcquire(request).map(LockHandle::detach).<SimpleLock>map((handle) -> handle::close);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new LockInterruptedException(request.key(), ex);
			}
		};
	}

}
