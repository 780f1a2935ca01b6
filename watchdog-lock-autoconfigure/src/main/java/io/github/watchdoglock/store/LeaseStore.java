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

	/**
	 * What the store says to {@link AcquireCommand}.
	 */
	sealed interface AcquireAnswer {

		/**
		 * The attempt owns the key.
		 *
		 * @param block the tokens of this lease; the same when the command is repeated
		 * @param contended whether others wait
		 * @param other another number of permits, by which somebody has the key or waits
		 * for it; null where there is none
		 */
		record Granted(TokenBlock block, boolean contended, @Nullable Kind other) implements AcquireAnswer {

			/**
			 * Where nobody goes by another number.
			 * @param block the tokens of this lease
			 * @param contended whether others wait
			 */
			public Granted(TokenBlock block, boolean contended) {
				this(block, contended, null);
			}

		}

		/**
		 * Somebody else has the key, or it is reserved for somebody else.
		 *
		 * @param holder label of who has it
		 * @param remaining how long that lasts unless it is renewed
		 * @param placed whether the attempt has a place in the queue
		 * @param other another number of permits, by which somebody has the key or waits
		 * for it; {@link Kind#READ} where there is no room for one more who reads; null
		 * otherwise
		 */
		record Busy(String holder, Duration remaining, boolean placed, @Nullable Kind other) implements AcquireAnswer {

			/**
			 * Of nobody in particular.
			 * @param holder label of who has it
			 * @param remaining how long that lasts unless it is renewed
			 * @param placed whether the attempt has a place in the queue
			 */
			public Busy(String holder, Duration remaining, boolean placed) {
				this(holder, remaining, placed, null);
			}

		}

		/**
		 * What the attempt had is over, and it gets nothing any more: what comes late
		 * revives nothing.
		 */
		record Ended() implements AcquireAnswer {

		}

	}

	/**
	 * What the store says to {@link RenewCommand}.
	 */
	sealed interface RenewAnswer {

		/**
		 * The lease lasts on.
		 *
		 * @param contended whether others wait
		 * @param next the block that was asked for, null where none was; only a block
		 * above the end of the one in use counts
		 */
		record Renewed(boolean contended, @Nullable TokenBlock next) implements RenewAnswer {

		}

		/**
		 * The attempt does not own the key with that token.
		 */
		record Gone() implements RenewAnswer {

		}

	}

	/**
	 * What the store says to {@link ReleaseCommand}.
	 *
	 * @param ended what the attempt had
	 * @param next for whom the key is reserved now
	 */
	record ReleaseAnswer(Ended ended, Next next) {

		/**
		 * What an attempt had.
		 */
		public enum Ended {

			/**
			 * The lease.
			 */
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
		 * Who is handed a key.
		 */
		public enum Next {

			/**
			 * Nobody waits, or the key stays as it was.
			 */
			NOBODY,

			/**
			 * The requeued attempt, which is to acquire now.
			 */
			REQUEUED,

			/**
			 * Another attempt.
			 */
			OTHER

		}

	}

}
