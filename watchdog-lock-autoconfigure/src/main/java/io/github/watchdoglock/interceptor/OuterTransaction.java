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

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.interceptor.declaration.LockedMethod;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The transaction in which a locked method is called. It keeps the locks of the call, or
 * a warning is logged that they are released before it ends. Thread-safe.
 */
final class OuterTransaction {

	private static final Log logger = LogFactory.getLog(OuterTransaction.class);

	private final BooleanSupplier active;

	private final Set<Method> reported = ConcurrentHashMap.newKeySet();

	private final Set<Method> warned = ConcurrentHashMap.newKeySet();

	OuterTransaction(BooleanSupplier active) {
		this.active = active;
	}

	/* The call holds all of its locks. */
	void enter(Method method, HeldLocks held) {
		if (this.active.getAsBoolean()) {
			if (held.keep() && this.reported.add(method)) {
				logger.info(LockConfigurationException.describe(method)
						+ " was called inside a transaction, which keeps its lock until it has ended. To release the"
						+ " lock at the return, set release = LockRelease.AT_RETURN");
			}
			warn(method, held.isAnyEndingEarly());
		}
	}

	/* The locks are acquired later. */
	void enter(LockedMethod method) {
		warn(method.method(), method.isAnyEndingEarly() && this.active.getAsBoolean());
	}

	private void warn(Method method, boolean endingEarly) {
		if (endingEarly && this.warned.add(method)) {
			logger.warn(LockConfigurationException.describe(method) + " was called inside a transaction, which is"
					+ " committed after the lock was released, so the next holder reads old data. Only an exclusive,"
					+ " renewed lock is kept until then, unless it is fenced or the result is completed later. Use such"
					+ " a lock, call the method before the transaction begins, give it Propagation.REQUIRES_NEW, or"
					+ " set release = LockRelease.AT_RETURN if no data of the transaction depends on the lock");
		}
	}

}
