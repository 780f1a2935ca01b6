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

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.settings.EngineSettings.HandOffRules;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import org.jspecify.annotations.Nullable;

/**
 * The per-lock properties, applied to requests and to rules of the engine. Immutable.
 *
 * @param all all properties
 */
record NamedLocks(WatchdogLockProperties all) {

	TimeRules linger() {
		return new TimeRules(this.all.linger(), byName(NamedLockProperties::linger));
	}

	TimeRules commitCheck() {
		return new TimeRules(this.all.commitCheck(), byName(NamedLockProperties::commitCheck));
	}

	HandOffRules handOffs() {
		return new HandOffRules(byName(NamedLockProperties::handOffs));
	}

	private <T> Map<String, T> byName(Function<NamedLockProperties, @Nullable T> property) {
		Map<String, T> byName = new HashMap<>();
		this.all.locks().forEach((name, named) -> {
			T value = property.apply(named);
			if (value != null) {
				byName.put(name, value);
			}
		});
		return byName;
	}

	/* Whether the application has decided to release a lock within a transaction. */
	boolean isReleasedAtReturn(String name) {
		return Objects.requireNonNullElse(this.all.lock(name).release(), this.all.release()) == LockRelease.AT_RETURN;
	}

	/*
	 * Return the request, with the properties of its name for everything that it does not
	 * set.
	 */
	LockRequest complete(LockRequest request) {
		LockRequest completed = this.all.lock(request.key().name()).complete(request, this.all.leaseTime());
		boolean exclusive = (completed.permits() == null || completed.permits() <= 1)
				&& completed.mode() != LockMode.READ;
		return (this.all.fenced() && completed.fenced() == null && exclusive && !request.key().isRole())
				? completed.withFenced(true) : completed;
	}

	/* Return the same, with the policy for a loss, which the engine adds otherwise. */
	LockRequest completeWithLoss(LockRequest request) {
		LockRequest completed = complete(request);
		OnLoss own = completed.onLoss();
		return (own != null && own != OnLoss.DEFAULT) ? completed : completed.withOnLoss(this.all.onLoss());
	}

}
