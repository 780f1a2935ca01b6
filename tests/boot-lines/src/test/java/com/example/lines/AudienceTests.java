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

package com.example.lines;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the notifications of an application about its locks: events and observations.
 */
@ShopTest
class AudienceTests {

	@Autowired
	private Audit audit;

	@Autowired
	private LockService locks;

	@Test
	void acquisitionAndLossArePublishedAsEvents() throws Exception {
		try (LockHandle handle = this.locks.acquire(LockRequest.of("heard", "phone"))) {
			this.locks.forceRelease(handle.key());
			await().untilAsserted(
					() -> assertThat(this.audit.heard()).contains("acquired heard:phone", "lost heard:phone FORCED"));
		}
	}

	@Test
	void waitAndHoldAreRecordedAsObservations() throws Exception {
		this.locks.acquire(LockRequest.of("observed")).close();
		await().untilAsserted(() -> assertThat(this.audit.heard()).contains("observed watchdog.lock.acquire",
				"observed watchdog.lock.hold"));
	}

}
