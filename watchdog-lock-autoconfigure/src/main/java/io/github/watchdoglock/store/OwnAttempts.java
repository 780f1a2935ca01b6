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

package io.github.watchdoglock.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that receives no command of attempts from before the restore of the process:
 * each of them could free or take the lock of another copy. The answer is that the
 * attempt has nothing, which ends whatever this copy believes to have. Thread-safe.
 *
 * @param store the store that receives the commands of the present process
 * @param ids know which attempts are from before
 */
public record OwnAttempts(LeaseStore store, AttemptIds ids) implements LeaseStore {

	private static final String FROM_BEFORE = "it may belong to another copy of this process, which was restored";

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return this.ids.isForeign(command.attempt()) ? CompletableFuture.completedFuture(new AcquireAnswer.Ended())
				: this.store.acquire(command);
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		if (commands.stream().noneMatch((command) -> this.ids.isForeign(command.attempt()))) {
			return this.store.renew(commands);
		}
		return commands.stream()
			.<CompletionStage<RenewAnswer>>map((command) -> this.ids.isForeign(command.attempt())
					? CompletableFuture.completedFuture(new RenewAnswer.Gone())
					: this.store.renew(List.of(command)).get(0))
			.toList();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return this.ids.isForeign(command.attempt())
				? CompletableFuture.failedFuture(new CommandRefusedException(FROM_BEFORE, null))
				: this.store.release(command);
	}

}
