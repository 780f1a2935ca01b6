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

package io.github.watchdoglock.leader;

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * What the methods of a thread have of terms, as far as they are to fail with them.
 */
final class ThreadShares {

	private static final ThreadLocal<@Nullable List<TermShare>> ofThread = new ThreadLocal<>();

	private ThreadShares() {
	}

	static TermShare add(TermShare share) {
		if (share.fails()) {
			List<TermShare> shares = ofThread.get();
			if (shares == null) {
				shares = new ArrayList<>();
				ofThread.set(shares);
			}
			shares.add(share);
			share.whenLeft(() -> remove(share));
		}
		return share;
	}

	/* By its own thread; nothing where another one closes it. */
	private static void remove(TermShare share) {
		List<TermShare> shares = ofThread.get();
		if (shares != null) {
			shares.remove(share);
			if (shares.isEmpty()) {
				ofThread.remove();
			}
		}
	}

	static void ensureCommitAllowed() {
		List<TermShare> shares = ofThread.get();
		if (shares == null) {
			ofThread.remove();
			return;
		}
		for (TermShare share : shares) {
			LockLoss loss = share.loss().orElse(null);
			if (loss != null) {
				throw new LockLostException(loss, "the transaction is rolled back");
			}
		}
	}

}
