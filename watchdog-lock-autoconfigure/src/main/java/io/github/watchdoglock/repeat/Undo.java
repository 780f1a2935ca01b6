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
 * A release that ends whatever an attempt has in the store (lease, reservation or place),
 * while no caller waits for the answer.
 *
 * @param key the key as callers name it
 * @param token the token of the hold that had the lease; {@link ReleaseCommand#NONE} if
 * there was no hold
 * @param until the time after which the store has nothing of the attempt any more
 * @param command creates the command at the moment when it is sent
 * @param reported whether the end of its repetition is reported
 */
public record Undo(LockKey key, long token, long until, Supplier<ReleaseCommand> command, boolean reported) {

	/**
	 * Create a release whose repetition is reported.
	 * @param key the key as callers name it
	 * @param token the token of the hold that had the lease; {@link ReleaseCommand#NONE}
	 * if there was no hold
	 * @param until the time after which the store has nothing of the attempt any more
	 * @param command creates the command at the moment when it is sent
	 */
	public Undo(LockKey key, long token, long until, Supplier<ReleaseCommand> command) {
		this(key, token, until, command, true);
	}

	/**
	 * Create a release that one store has carried out, for repetition in another store:
	 * it takes no place in the queue, and keeps the key for the rest of its time.
	 * @param command the command that the first store has carried out
	 * @param sent when that command was sent
	 * @param until the time after which no store has anything of the attempt any more
	 * @param now the clock
	 * @return a release whose repetition is not reported
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
