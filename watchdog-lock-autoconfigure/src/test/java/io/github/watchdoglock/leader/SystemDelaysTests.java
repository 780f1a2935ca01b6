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

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SystemDelays}.
 */
class SystemDelaysTests {

	@Test
	void whereThereIsNoThreadItIsTriedAgain() {
		CountDownLatch done = new CountDownLatch(1);
		new SystemDelays(AudienceTests.noneAtFirst()).after(Duration.ZERO, done::countDown);
		await().until(() -> done.getCount() == 0);
	}

}
