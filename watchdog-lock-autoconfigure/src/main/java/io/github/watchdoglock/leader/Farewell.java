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

package io.github.watchdoglock.leader;

import java.util.List;

import io.github.watchdoglock.LockLoss;

/**
 * The end of a term, until one listener has returned from its notification. The lock is
 * not released before.
 *
 * @param audience the listener
 */
record Farewell(Audience audience) implements TermPart {

	@Override
	public void revoke(LockLoss.Reason reason) {
	}

	@Override
	public boolean isOf(Thread thread) {
		return this.audience.isOf(thread);
	}

	@Override
	public List<String> stack() {
		return this.audience.stack();
	}

	@Override
	public String toString() {
		return this.audience.toString();
	}

}
