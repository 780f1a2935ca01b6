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

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.engine.LockEngine;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Brings the application's listeners to the engine when all singletons are there, since a
 * listener may itself need locks.
 *
 * @param engine the engine
 * @param listeners the listeners
 */
record LockListenerRegistration(LockEngine engine,
		ObjectProvider<LockListener> listeners) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		this.listeners.orderedStream().forEach(this.engine::addListener);
	}

}
