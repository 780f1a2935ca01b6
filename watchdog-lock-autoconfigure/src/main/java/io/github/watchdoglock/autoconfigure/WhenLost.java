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

package io.github.watchdoglock.autoconfigure;

import io.github.watchdoglock.OnLoss;

/**
 * What happens to work whose lock is lost while it runs.
 */
enum WhenLost {

	/**
	 * The work goes on; events, meters and the log tell.
	 */
	REPORT(OnLoss.REPORT),

	/**
	 * The thread that holds the lock is interrupted.
	 */
	INTERRUPT(OnLoss.INTERRUPT),

	/**
	 * LockLostException is thrown in place of the result, and a transaction that is still
	 * open is rolled back.
	 */
	FAIL(OnLoss.FAIL);

	final OnLoss policy;

	WhenLost(OnLoss policy) {
		this.policy = policy;
	}

}
