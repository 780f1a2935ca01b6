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

import org.jspecify.annotations.Nullable;

/**
 * How locks are taken for a call and given back, which depends on what its method
 * returns.
 */
interface Manner {

	/**
	 * Run a method while its locks are held.
	 * @param call the call
	 * @return what the caller gets
	 * @throws Throwable what the caller gets instead
	 */
	@Nullable Object run(LockedCall call) throws Throwable;

}
