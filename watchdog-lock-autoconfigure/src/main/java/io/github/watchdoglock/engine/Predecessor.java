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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The former use of a lease: a hold that was closed, or the idle state. An idle lease has
 * that state; a lease about which a decision is pending has either one, or none if it was
 * just granted; a held lease has one only within a task that hands it on, or closes one
 * of several readers.
 * <p>
 * It ends once: with {@link #handedOn}, {@link #gone}, {@link #keepIdle} of a hold, or
 * {@link #releasing} and then {@link #released}. After an error, a second end may follow;
 * the end is counted and reported once, but a failed release may be reported and repeated
 * twice:
 * <ul>
 * <li>{@link #abort} after any of them that has failed halfway;
 * <li>{@link #released} without an answer if processing the answer has failed;
 * <li>{@link #released} after {@link #abort} if sending the release has failed.
 * </ul>
 */
interface Predecessor {

	/* The last token that was used. */
	long token();

	/* How long the key must not be handed on yet. */
	Duration lockedFor();

	/*
	 * Whether a caller of this instance may have it although other instances may wait.
	 */
	boolean mayHandOn(long now);

	/*
	 * Return the refusal for callers without a wait time while the next holder is being
	 * decided; null if they wait for the decision.
	 */
	@Nullable Supplier<Waiter.Outcome.Refused> refusal();

	/*
	 * Keep the lease idle, because no caller waits for it: the idle state is its
	 * predecessor from then on. Return false if it must not be kept.
	 */
	boolean keepIdle();

	/* A caller of this instance has got it. */
	void handedOn();

	/* The store does not know it any more. */
	void gone();

	/* It is about to be released. */
	default void releasing() {
	}

	/* The store has released it, or the release has failed. */
	void released(@Nullable ReleaseAnswer answer, @Nullable Throwable failure);

	/*
	 * The state of the key has ended because of an error. The end may be completed
	 * already.
	 */
	void abort();

	/**
	 * The idle state, as long as it lasts.
	 */
	interface Idle extends Predecessor {

		/* When it ends at the latest. */
		long until();

		/* End it if it must not last any longer. */
		void endIfOver(long now);

		/* The store has answered a renewal, or the renewal has failed. */
		void answered(long sent, @Nullable RenewAnswer answer);

	}

}
