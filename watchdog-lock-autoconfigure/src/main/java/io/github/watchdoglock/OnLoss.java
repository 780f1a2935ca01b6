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
 * What happens to work whose lock is lost while it runs. Whatever is chosen, listeners
 * and meters hear of the loss, and {@link LockHandle#whenLost()} is completed.
 */
public enum OnLoss {

	/**
	 * The value of the property {@code watchdog-lock.on-loss}. If that is not set either,
	 * the work continues, but a transaction that is still open is rolled back instead of
	 * committed, and {@link LockLostException} is thrown to whoever commits. A fenced
	 * transaction is rolled back only if a later holder has overtaken this one.
	 */
	DEFAULT,

	/**
	 * Nothing more: the work continues, and its transaction may be committed.
	 */
	REPORT,

	/**
	 * The thread that holds the lock is interrupted. When it closes its handle, the
	 * interrupt flag that was set for this is cleared, unless it was set before. An
	 * interrupt by somebody else that comes later can't be told apart, and is cleared
	 * too.
	 */
	INTERRUPT,

	/**
	 * {@link LockLostException} is thrown in place of the work's result, though never in
	 * place of an exception of its own, and a transaction that is still open is rolled
	 * back instead of committed. The thread is not interrupted. A loss after the commit
	 * of an annotated method's own transaction is reported only;
	 * {@link LockService#execute} knows of no such transaction and throws.
	 */
	FAIL

}
