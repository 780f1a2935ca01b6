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

/**
 * Notices whether the transaction that a method began is committed. Thread-safe.
 */
@FunctionalInterface
public interface CommitWatch {

	/**
	 * Notices nothing: for applications without transactions.
	 */
	CommitWatch NONE = (transaction) -> () -> false;

	/**
	 * Begin to watch the calling thread for a transaction. Watches of one thread are
	 * nested: a commit counts for the innermost one alone.
	 * @param transaction the name of the transaction
	 * @return to be called once, by the same thread, when the method has ended: ends the
	 * watch, and tells whether a new transaction of that name was committed
	 */
	BooleanSupplier watch(String transaction);

}
