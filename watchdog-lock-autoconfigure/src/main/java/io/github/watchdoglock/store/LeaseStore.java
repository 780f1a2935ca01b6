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
import java.util.concurrent.CompletionStage;

/**
 * Where leases live. Thread-safe; every command can be sent twice.
 * <p>
 * No verb blocks. Each stage is complete within its command's time-out, whatever happens;
 * it fails with {@link io.github.watchdoglock.LockStoreException} where the command had
 * no effect, with {@link CommandRefusedException} where it would not have one later
 * either, and with {@link OutcomeUnknownException} where it may have had one. Commands of
 * one instance for one key take effect in the order in which they were given. Dependent
 * stages may run on an I/O thread and must not block.
 */
public interface LeaseStore {

	/**
	 * Take a key, or a place in its queue.
	 * @param command what is asked for
	 * @return the answer
	 */
	CompletionStage<AcquireAnswer> acquire(AcquireCommand command);

	/**
	 * Make leases last from now. They are sent together and answered one by one.
	 * @param commands what is asked for
	 * @return the answers, in the order of the commands
	 */
	List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands);

	/**
	 * End whatever an attempt has.
	 * @param command what is asked for
	 * @return the answer
	 */
	CompletionStage<ReleaseAnswer> release(ReleaseCommand command);

}
