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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
 * Stores with seeded bugs.
 */
final class BrokenStores {

	private BrokenStores() {
	}

	static LeaseStore of(Variant variant, LeaseStore store) {
		return switch (variant) {
			case NO_MARGIN -> new WithoutMargin(store);
			case RENEWAL_DIES -> new DyingRenewal(store);
			case NO_COMPENSATION -> new WithoutUndo(store);
			default -> store;
		};
	}

	/**
	 * Leases last only as long as the engine considers its holds valid.
	 */
	private static final class WithoutMargin extends StoreDecorator {

		WithoutMargin(LeaseStore store) {
			super(store);
		}

		/* For fixed leases, which have no stop margin anyway. */
		private static Duration valid(Duration lease) {
			return lease.minus(lease.dividedBy(100));
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return super.acquire(new AcquireCommand(command.key(), command.attempt(), command.holder(),
					valid(command.lease()), command.tokens(), command.lingering(), command.poll(), command.ifIdle(),
					command.timeout()));
		}

	}

	/**
	 * After one failure, no lease is renewed any more.
	 */
	private static final class DyingRenewal extends StoreDecorator {

		private final Set<AttemptId> dead = ConcurrentHashMap.newKeySet();

		DyingRenewal(LeaseStore store) {
			super(store);
		}

		@Override
		CompletionStage<RenewAnswer> renew(RenewCommand command) {
			if (this.dead.contains(command.attempt())) {
				return new CompletableFuture<>();
			}
			return super.renew(command).whenComplete((answer, failure) -> {
				if (failure != null) {
					this.dead.add(command.attempt());
				}
			});
		}

	}

	/**
	 * Only locks that were held are released.
	 */
	private static final class WithoutUndo extends StoreDecorator {

		WithoutUndo(LeaseStore store) {
			super(store);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			if (command.lastToken() == ReleaseCommand.NONE || command.lastToken() == ReleaseCommand.UNKNOWN) {
				return CompletableFuture
					.completedFuture(new ReleaseAnswer(ReleaseAnswer.Ended.NOTHING, ReleaseAnswer.Next.NOBODY));
			}
			return super.release(command);
		}

	}

}
