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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The locks of this instance: none until there is an engine, which this does not bring
 * about. Not final, since advice may be put around it.
 */
class LateLocalLocks implements LocalLocks {

	private final Supplier<? extends @Nullable LocalLocks> locks;

	LateLocalLocks(Supplier<? extends @Nullable LocalLocks> locks) {
		this.locks = locks;
	}

	@Override
	public List<LockSnapshot> list() {
		LocalLocks present = this.locks.get();
		return (present != null) ? present.list() : new ArrayList<>();
	}

	@Override
	public List<LockHandle> current() {
		LocalLocks present = this.locks.get();
		return (present != null) ? present.current() : new ArrayList<>();
	}

	@Override
	public void ensureHeld() {
		LocalLocks present = this.locks.get();
		if (present != null) {
			present.ensureHeld();
		}
	}

}
