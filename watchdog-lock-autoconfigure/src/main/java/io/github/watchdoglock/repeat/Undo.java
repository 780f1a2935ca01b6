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

import java.util.concurrent.CompletionStage;
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
 */
public record Undo(LockKey key, long token, long until, Supplier<ReleaseCommand> command) {

	CompletionStage<ReleaseAnswer> ask(LeaseStore store) {
		return StoreCalls.ask(() -> store.release(this.command.get()));
	}

}
