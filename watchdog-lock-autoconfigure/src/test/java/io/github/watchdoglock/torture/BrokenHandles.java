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

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;

/**
 * Handles with seeded bugs.
 */
final class BrokenHandles {

	private BrokenHandles() {
	}

	/**
	 * Held until it is closed, or until a notification says that it is lost.
	 */
	static final class Flag extends HandleDecorator {

		private volatile boolean held = true;

		Flag(LockHandle handle) {
			super(handle);
			var unused = handle.whenLost().thenRun(() -> this.held = false);
		}

		@Override
		public boolean isHeld() {
			return this.held;
		}

		@Override
		public void close() {
			this.held = false;
			super.close();
		}

	}

	/**
	 * Renewed once more after its loss, and held again if the store accepts the renewal.
	 */
	static final class Revived extends HandleDecorator {

		private volatile boolean revived;

		Revived(LockHandle handle, Renewals renewals) {
			super(handle);
			var unused = handle.whenLost()
				.thenCompose((loss) -> renewals.renew(handle.key()))
				.thenAccept((answer) -> this.revived = answer instanceof RenewAnswer.Renewed);
		}

		@Override
		public boolean isHeld() {
			return this.revived || super.isHeld();
		}

		@Override
		public void close() {
			this.revived = false;
			super.close();
		}

	}

	/**
	 * Remembers the last renewal command of each granted lease.
	 */
	static final class Renewals extends StoreDecorator {

		private final Map<LockKey, RenewCommand> last = new ConcurrentHashMap<>();

		Renewals(LeaseStore store) {
			super(store);
		}

		CompletionStage<RenewAnswer> renew(LockKey key) {
			return super.renew(List.of(this.last.get(key))).get(0);
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return super.acquire(command).thenApply((answer) -> {
				if (answer instanceof AcquireAnswer.Granted granted) {
					this.last.put(command.key(), new RenewCommand(command.key(), command.attempt(),
							granted.block().first(), command.lease(), false, command.timeout()));
				}
				return answer;
			});
		}

	}

}
