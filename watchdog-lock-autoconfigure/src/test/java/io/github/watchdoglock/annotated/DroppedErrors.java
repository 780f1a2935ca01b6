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

package io.github.watchdoglock.annotated;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An extension that fails the test if Reactor drops an error.
 */
final class DroppedErrors implements BeforeEachCallback, AfterEachCallback {

	private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

	@Override
	public void beforeEach(ExtensionContext context) {
		this.dropped.clear();
		Hooks.onErrorDropped(this.dropped::add);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		Hooks.resetOnErrorDropped();
		assertThat(this.dropped).isEmpty();
	}

}
