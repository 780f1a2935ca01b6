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

import io.github.watchdoglock.actuate.RenewalHealth;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * All that the engine asks of where leases are kept. One bean and not three, since one
 * object may be several of them.
 *
 * @param store where leases live
 * @param inspector what operators ask of it
 * @param wakeUps hints from it
 * @param asynchronous whether commands are on their way when its verbs have returned
 * @param place where leases are kept, for people to read
 */
record LeaseKeeping(LeaseStore store, LeaseInspector inspector, WakeUps wakeUps, boolean asynchronous, String place) {

	LeaseKeeping watchedBy(@Nullable RenewalHealth health) {
		return (health != null) ? with(health.store(), health.inspector()) : this;
	}

	LeaseKeeping with(LeaseStore store, LeaseInspector inspector) {
		return new LeaseKeeping(store, inspector, this.wakeUps, this.asynchronous, this.place);
	}

}
