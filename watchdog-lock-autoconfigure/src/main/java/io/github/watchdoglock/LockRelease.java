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

package io.github.watchdoglock;

/**
 * When an annotated method that is called inside a transaction releases its lock.
 */
public enum LockRelease {

	/**
	 * The value of the property {@code watchdog-lock.release}. If that is not set either,
	 * {@link #AFTER_TRANSACTION} applies to locks that can be kept, and
	 * {@link #AT_RETURN} to others, with a warning.
	 */
	DEFAULT,

	/**
	 * When the innermost transaction of the calling thread has been committed or rolled
	 * back, so that the next holder reads the data that were written under the lock. If
	 * the thread is in no transaction when it acquires the lock, or if the method begins
	 * its own transaction or runs without one, the lock is released when the method
	 * returns.
	 * <p>
	 * Only exclusive locks with a renewed lease can be kept. They must not be fenced, and
	 * the method must not return a result that is completed later.
	 */
	AFTER_TRANSACTION,

	/**
	 * When the method returns, also if a transaction of its caller is committed later.
	 */
	AT_RETURN

}
