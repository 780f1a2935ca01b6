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
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * What operators ask of a store. Stages as those of {@link LeaseStore}.
 */
public interface LeaseInspector {

	/**
	 * Look at a key.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return its state, empty where it is free or only reserved
	 */
	CompletionStage<Optional<LockState>> find(LockKey key, Duration timeout);

	/**
	 * Take a key from its owner and hand it on as a release does.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return who had it
	 */
	CompletionStage<ForceAnswer> force(LockKey key, Duration timeout);

	/**
	 * Have the owner of a key told that it is asked to give it back. Nobody hears whether
	 * it has arrived.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return whether somebody has the key
	 */
	CompletionStage<Boolean> ask(LockKey key, Duration timeout);

	/**
	 * What a store answers to {@link LeaseInspector#force}.
	 *
	 * @param held whether somebody had the key, or it was kept for a minimum hold time
	 * @param owner the attempt that it was taken from, null where it was nobody's
	 */
	record ForceAnswer(boolean held, @Nullable AttemptId owner) {

		/**
		 * Nobody had the key.
		 */
		public static final ForceAnswer FREE = new ForceAnswer(false, null);

	}

}
