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

import java.util.function.Predicate;

import io.github.watchdoglock.LockHandle;

/**
 * A handle of the thread's that its transaction keeps open until it is complete.
 */
final class KeptHandle extends Handle {

	private KeptHandle(Handle handle) {
		super(handle.hold(), handle.reads(), handle.onLoss());
	}

	@Override
	boolean isKept() {
		return true;
	}

	/* Unless the thread is in no transaction, or in one that keeps it already. */
	static void keep(Handle handle, ThreadHandles threads, Predicate<LockHandle> transactions) {
		if (threads.isKept(handle)) {
			return;
		}
		KeptHandle kept = new KeptHandle(handle);
		kept.cohort().change(kept.hold(), () -> kept.hold().add(kept));
		boolean keeping = false;
		try {
			threads.rememberOutside(handle, kept);
			keeping = transactions.test(kept);
		}
		catch (RuntimeException | Error ex) {
			handle.close();
			throw ex;
		}
		finally {
			if (!keeping) {
				kept.close();
			}
		}
	}

}
