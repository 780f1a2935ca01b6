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
import java.util.Optional;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/**
 * Adapters with which locks of this project replace those of other libraries, as shown on
 * the page about migrating.
 */
class ForeignLocks {

	@Bean
	LockProvider lockProvider(LockService locks, @Value("${watchdog-lock.lease-time:30s}") Duration leaseTime) {
		return (job) -> {
			Duration most = job.getLockAtMostFor();
			// A renewed lease could outlast a job that may take less than the lease-time
			Lease lease = (most.compareTo(leaseTime) > 0) ? Lease.renewed(leaseTime) : Lease.fixed(most);
			LockRequest request = LockRequest.of(job.getName())
				.withWaitTime(Duration.ZERO)
				.withLease(lease)
				.withMinHoldTime(job.getLockAtLeastFor())
				.withMaxHoldTime(most);
			try {
				Optional<LockHandle> acquired = locks.tryAcquire(request).map(LockHandle::detach);
				// After lockAtMostFor, a renewed lock is released; a fixed lease expires
				acquired.ifPresent((handle) -> handle.whenLost().thenAccept((loss) -> {
					if (loss.reason() == LockLoss.Reason.MAX_HOLD) {
						handle.close();
					}
				}));
				return acquired.map((handle) -> handle::close);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new LockInterruptedException(request.key(), ex);
			}
		};
	}

}
