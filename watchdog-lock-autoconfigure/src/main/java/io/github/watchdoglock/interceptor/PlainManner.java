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

package io.github.watchdoglock.interceptor;

import io.github.watchdoglock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * The work is done when the method returns.
 */
final class PlainManner implements Manner {

	private final LockTaker taker;

	private final Work work;

	PlainManner(LockTaker taker, Work work) {
		this.taker = taker;
		this.work = work;
	}

	@Override
	public @Nullable Object run(LockedCall call) throws Throwable {
		Taken taken = this.taker.take(call);
		return (taken instanceof HeldLocks held) ? run(call, held) : ((Refusal) taken).resolve(call);
	}

	private @Nullable Object run(LockedCall call, HeldLocks held) throws Throwable {
		Work.Done done;
		try {
			done = this.work.run(call, held);
		}
		finally {
			held.close();
		}
		LockLostException failure = done.failure(held);
		if (failure != null) {
			throw failure;
		}
		return done.result();
	}

}
