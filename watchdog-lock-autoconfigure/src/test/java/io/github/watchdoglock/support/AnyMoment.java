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

package io.github.watchdoglock.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.github.watchdoglock.LockHandle;

import static org.awaitility.Awaitility.await;

/**
 * A random moment while locks are held.
 */
public final class AnyMoment {

	private AnyMoment() {
	}

	/**
	 * Wait for the moment, and check that the locks are held until then.
	 * @param latest the latest time, from now
	 * @param held the locks
	 */
	public static void within(Duration latest, List<LockHandle> held) {
		await().pollInterval(Duration.ofMillis(1))
			.during(Duration.ofNanos(ThreadLocalRandom.current().nextLong(latest.toNanos())))
			.until(() -> held.stream().allMatch(LockHandle::isHeld));
	}

}
