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

package io.github.watchdoglock.simulation;

import ch.qos.logback.classic.Level;
import io.github.watchdoglock.support.Logged;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Silences the library while the tests of a class run: simulated worlds would log many
 * problems that are part of their plan.
 */
final class Silent implements BeforeAllCallback, AfterAllCallback {

	private @Nullable Level before;

	@Override
	public void beforeAll(ExtensionContext context) {
		this.before = Logged.setLevel(Level.OFF);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		Logged.setLevel(this.before);
	}

}
