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

import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockSnapshot;

/**
 * The locks of this instance. Not the service itself, of whose type there must be one
 * bean. Not final, since the application may put advice around it.
 */
class InstanceLocks implements LocalLocks {

	private final Supplier<List<LockSnapshot>> all;

	private final Supplier<List<LockHandle>> current;

	private final Runnable check;

	InstanceLocks(Supplier<List<LockSnapshot>> all, Supplier<List<LockHandle>> current, Runnable check) {
		this.all = all;
		this.current = current;
		this.check = check;
	}

	@Override
	public List<LockSnapshot> list() {
		return this.all.get();
	}

	@Override
	public List<LockHandle> current() {
		return this.current.get();
	}

	@Override
	public void ensureHeld() {
		this.check.run();
	}

}
