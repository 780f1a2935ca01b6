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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;

/**
 * The commands for operators. Their stages have the properties of those of
 * {@link LeaseStore}.
 */
public interface LeaseInspector {

	/** All holders of a key, regardless of their tokens. */
	long ALL = 0;

	/**
	 * Find the holders of a key.
	 * @param key the key
	 * @param timeout how long the answer may take
	 * @return the holders, beginning with the one whose lease ends first; empty if the
	 * key is free or only reserved
	 */
	CompletionStage<List<LockState>> find(LockKey key, Duration timeout);

	/**
	 * Take a key from its holders by force, and hand it on as a release does.
	 * @param key the key
	 * @param token the first token of the holder from which it is taken; {@link #ALL} for
	 * all holders
	 * @param timeout how long the answer may take
	 * @return the former holders
	 */
	CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout);

	/**
	 * Find the holders of a key, and request them to release it, or request the one whose
	 * present hold has a token to take the key from this hold by force. Whether the
	 * message arrives is not reported.
	 * @param key the key
	 * @param token the token of a hold; {@link #ALL} to request a release
	 * @param timeout how long the answer may take
	 * @return the holders, as {@link #find} returns them
	 */
	CompletionStage<List<LockState>> request(LockKey key, long token, Duration timeout);

	/**
	 * The answer of a store to {@link LeaseInspector#force}.
	 *
	 * @param held whether the key was held, or kept for a minimum hold time
	 * @param owners the attempts from which it was taken; none if no attempt held it
	 */
	record ForceAnswer(boolean held, List<AttemptId> owners) {

		/** The key was not held, or not with that token. */
		public static final ForceAnswer FREE = new ForceAnswer(false, List.of());

	}

}
