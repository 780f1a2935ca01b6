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
 * The effect of a lost lock on the work that runs under it. With each value, listeners
 * are notified, the loss is counted, and {@link LockHandle#whenLost()} is completed.
 */
public enum OnLoss {

	/**
	 * The value of the property {@code watchdog-lock.on-loss}. If that is not set either,
	 * the work continues, but a transaction that is still open is rolled back instead of
	 * committed, and the caller that commits gets a {@link LockLostException}. A fenced
	 * transaction is rolled back only if a later holder has overtaken this one.
	 */
	DEFAULT,

	/**
	 * The work continues, and its transaction may be committed.
	 */
	REPORT,

	/**
	 * The thread that holds the lock is interrupted. When it closes its handle, the
	 * interrupt flag that was set by this is cleared, unless it was set before. A later
	 * interrupt from other code cannot be distinguished from this one, and is cleared
	 * too.
	 */
	INTERRUPT,

	/**
	 * {@link LockLostException} is thrown instead of returning the work's result, but
	 * never instead of an exception of the work. A transaction that is still open is
	 * rolled back instead of committed. The thread is not interrupted. A loss after the
	 * commit of an annotated method's own transaction is only reported;
	 * {@link LockService#execute} does not know about such a transaction, and throws.
	 */
	FAIL

}
