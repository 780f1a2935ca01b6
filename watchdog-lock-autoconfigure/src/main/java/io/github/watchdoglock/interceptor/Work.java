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

import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.listener.Instrumentation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work under locks on the calling thread.
 *
 * @param commits watches the transactions of a name for a commit
 * @param instrumentation surrounds the work
 */
record Work(Function<String, BooleanSupplier> commits, Instrumentation instrumentation) {

	private static final Log logger = LogFactory.getLog(Work.class);

	Done run(LockedInvocation call, HeldLocks held) throws Throwable {
		BooleanSupplier ownCommit = held.hasAny(OnLoss.FAIL) ? this.commits.apply(call.transaction()) : () -> false;
		Object result;
		boolean committed;
		try {
			result = held.run(this.instrumentation, call.invocation()::proceed);
		}
		finally {
			committed = ownCommit.getAsBoolean();
		}
		return new Done(call, result, committed);
	}

	/**
	 * The outcome of the work.
	 *
	 * @param call the call
	 * @param result its result
	 * @param committed whether it began a transaction that was committed; false if
	 * nothing depends on it
	 */
	record Done(LockedInvocation call, @Nullable Object result, boolean committed) {

		/*
		 * The exception to be thrown instead of returning the result, or null. Called
		 * after the locks were released, because a loss may be found only at the release.
		 */
		@Nullable LockLostException failure(HeldLocks held) {
			LockLoss loss = held.failingLoss();
			if (loss == null) {
				return null;
			}
			if (this.committed) {
				logger.info("Lock '" + loss.key() + "' (token " + loss.token() + ") was lost: " + loss.reason().tag()
						+ "; " + this.call.transaction()
						+ " does not fail for this reason, because its transaction had been committed before");
				return null;
			}
			return new LockLostException(loss);
		}

	}

}
