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

package io.github.watchdoglock.repeat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;

/**
 * A release that ends whatever an attempt has in the store, while nobody waits for the
 * answer.
 *
 * @param key the key as callers name it
 * @param token of the hold that had it; {@link ReleaseCommand#NONE} where none had
 * @param until from then on the store has nothing of it
 * @param command what the store is told, at the moment when it is told
 * @param told whether somebody hears how its repetition ends
 */
public record Undo(LockKey key, long token, long until, Supplier<ReleaseCommand> command, boolean told) {

	/**
	 * Create one of whose repetition somebody hears.
	 * @param key the key as callers name it
	 * @param token of the hold that had it; {@link ReleaseCommand#NONE} where none had
	 * @param until from then on the store has nothing of it
	 * @param command what the store is told, at the moment when it is told
	 */
	public Undo(LockKey key, long token, long until, Supplier<ReleaseCommand> command) {
		this(key, token, until, command, true);
	}

	/**
	 * A release that a store has carried out, as another one is told it: takes no place,
	 * and keeps the key for what is left of the time.
	 * @param command what the store was told
	 * @param sent when
	 * @param until from then on no store has anything of it
	 * @param now tells the time
	 * @return what nobody hears of
	 */
	public static Undo ofDone(ReleaseCommand command, long sent, long until, LongSupplier now) {
		ReleaseCommand again = new ReleaseCommand(command.key(), command.attempt(), command.lastToken(), Duration.ZERO,
				null, command.timeout());
		long kept = sent + command.keep().toNanos();
		return new Undo(command.key(), ReleaseCommand.NONE, until,
				() -> again.keeping(Duration.ofNanos(Math.max(kept - now.getAsLong(), 0))), false);
	}

	CompletionStage<ReleaseAnswer> ask(LeaseStore store) {
		return StoreCalls.ask(() -> store.release(this.command.get()));
	}

}
