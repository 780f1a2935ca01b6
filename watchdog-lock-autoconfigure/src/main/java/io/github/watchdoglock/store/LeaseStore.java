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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.store.AttemptId.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The store of leases. Thread-safe; every command can be sent twice.
 * <p>
 * No method blocks. Each stage is completed within the timeout of its command, whatever
 * happens. It fails with {@link io.github.watchdoglock.LockStoreException} if the command
 * had no effect, with {@link CommandRefusedException} if it would not have an effect
 * later either, and with {@link OutcomeUnknownException} if it may have had an effect.
 * Commands of one instance for one key take effect in the order in which they were sent.
 * Dependent stages may run on an I/O thread and must not block.
 */
public interface LeaseStore {

	/**
	 * Acquire a key, or a place in its queue.
	 * @param command the request
	 * @return the answer
	 */
	CompletionStage<AcquireAnswer> acquire(AcquireCommand command);

	/**
	 * Restart leases from now. The commands are sent together and answered one by one.
	 * @param commands the requests
	 * @return the answers, in the order of the commands
	 */
	List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands);

	/**
	 * End whatever an attempt has.
	 * @param command the request
	 * @return the answer
	 */
	CompletionStage<ReleaseAnswer> release(ReleaseCommand command);

	/**
	 * The answer of the store to an {@link AcquireCommand}.
	 */
	sealed interface AcquireAnswer {

		/**
		 * The attempt holds the key.
		 *
		 * @param block the tokens of this lease; the same tokens if the command is
		 * repeated
		 * @param contended whether other attempts wait
		 * @param other another number of permits, with which an attempt holds the key or
		 * waits for it; null if there is none
		 */
		record Granted(TokenBlock block, boolean contended, @Nullable Kind other) implements AcquireAnswer {

			/**
			 * Create an answer without another number of permits.
			 * @param block the tokens of this lease
			 * @param contended whether other attempts wait
			 */
			public Granted(TokenBlock block, boolean contended) {
				this(block, contended, null);
			}

		}

		/**
		 * Another attempt holds the key, or it is reserved for another attempt.
		 *
		 * @param holder the label of the holder
		 * @param remaining how long the lease or reservation lasts unless it is renewed
		 * @param placed whether the attempt has a place in the queue
		 * @param other another number of permits, with which an attempt holds the key or
		 * waits for it; {@link Kind#READ} if there is no room for another reader; null
		 * otherwise
		 */
		record Busy(String holder, Duration remaining, boolean placed, @Nullable Kind other) implements AcquireAnswer {

		}

		/**
		 * The attempt's lease or reservation has ended, and the attempt gets nothing any
		 * more.
		 */
		record Ended() implements AcquireAnswer {

		}

	}

	/**
	 * The answer of the store to a {@link RenewCommand}.
	 */
	sealed interface RenewAnswer {

		/**
		 * The lease is renewed. This includes a lease that had expired, if no other
		 * command has changed the key since.
		 *
		 * @param contended whether other attempts wait
		 * @param next the block that was requested, null if none was; it is valid only if
		 * it is above the end of the block in use
		 */
		record Renewed(boolean contended, @Nullable TokenBlock next) implements RenewAnswer {

		}

		/**
		 * The attempt does not have the key with that token, or has released it.
		 */
		record Gone() implements RenewAnswer {

		}

	}

	/**
	 * The answer of the store to a {@link ReleaseCommand}.
	 *
	 * @param ended what the attempt had
	 * @param next for which attempt the key is reserved now
	 */
	record ReleaseAnswer(Ended ended, Next next) {

		/**
		 * The states of an attempt that a release can end.
		 */
		public enum Ended {

			/** A lease. */
			LEASE,

			/**
			 * A reservation.
			 */
			RESERVATION,

			/**
			 * A place in the queue.
			 */
			PLACE,

			/**
			 * None of these: nothing was changed.
			 */
			NOTHING

		}

		/**
		 * The attempt for which a key is reserved after a release.
		 */
		public enum Next {

			/** No attempt waits, or the key is unchanged. */
			NOBODY,

			/** The requeued attempt, which has to acquire the key now. */
			REQUEUED,

			/**
			 * Another attempt.
			 */
			OTHER

		}

	}

}
