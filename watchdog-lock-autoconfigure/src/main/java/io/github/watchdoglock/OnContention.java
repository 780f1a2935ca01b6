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
 * The effect on a call whose lock cannot be acquired in time.
 */
public enum OnContention {

	/**
	 * The value of the property {@code watchdog-lock.on-contention}.
	 */
	DEFAULT,

	/**
	 * {@link LockNotAcquiredException} is thrown.
	 */
	FAIL,

	/**
	 * The method is not run; the call returns null or the empty value of its type.
	 */
	SKIP

}
