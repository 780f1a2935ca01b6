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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

/**
 * A network that delivers commands once more after their lease was released. No caller
 * holds what they acquire.
 */
final class LateCopies extends StoreDecorator {

	private final Map<AttemptId, AcquireCommand> acquires = new ConcurrentHashMap<>();

	private final Map<AttemptId, RenewCommand> renewals = new ConcurrentHashMap<>();

	LateCopies(LeaseStore store) {
		super(store);
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		this.acquires.put(command.attempt(), command);
		return super.acquire(command);
	}

	@Override
	CompletionStage<RenewAnswer> renew(RenewCommand command) {
		this.renewals.put(command.attempt(), command);
		return super.renew(command);
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		AcquireCommand acquire = this.acquires.remove(command.attempt());
		RenewCommand renewal = this.renewals.remove(command.attempt());
		// Commands before the start of the threads are not tested.
		boolean tested = command.key().name().equals("long");
		return super.release(command).thenApply((answer) -> {
			if (tested && answer.ended() == ReleaseAnswer.Ended.LEASE) {
				if (renewal != null) {
					var unused = super.renew(renewal);
				}
				if (acquire != null) {
					var unused = super.acquire(withoutPlace(acquire));
				}
			}
			return answer;
		});
	}

	/*
	 * A place in the queue that belongs to no caller would be granted the key, and hide
	 * the previous holder.
	 */
	private static AcquireCommand withoutPlace(AcquireCommand command) {
		return new AcquireCommand(command.key(), command.attempt(), command.holder(), command.lease(), command.tokens(),
				command.lingering(), Duration.ZERO, false, command.timeout());
	}

}
