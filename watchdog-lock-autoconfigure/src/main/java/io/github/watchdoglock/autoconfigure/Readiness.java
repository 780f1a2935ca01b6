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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Lets what costs time wait until the application is ready. Where nobody says that it is,
 * that begins with its first use. Thread-safe.
 */
final class Readiness implements ApplicationListener<ApplicationReadyEvent> {

	private volatile @Nullable Runnable action;

	private volatile boolean ready;

	/* May run twice. */
	void then(Runnable action) {
		this.action = action;
		if (this.ready) {
			action.run();
		}
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		this.ready = true;
		Runnable action = this.action;
		if (action != null) {
			action.run();
		}
	}

}
