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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.event.LockAcquiredEvent;
import io.github.watchdoglock.event.LockLostEvent;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for application events of locks.
 */
class LockEventsTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final ApplicationContextRunner contexts = LockContexts.local();

	@Test
	void lossOfLockIsPublishedAsEvent() {
		this.contexts.withBean(Losses.class).run((context) -> {
			LockService locks = context.getBean(LockService.class);
			try (LockHandle handle = locks.acquire(LockRequest.of(KEY))) {
				assertThat(locks.forceRelease(KEY)).isTrue();
				Losses losses = context.getBean(Losses.class);
				await().untilAsserted(() -> assertThat(losses.heard).singleElement()
					.satisfies((event) -> assertThat(event.loss())
						.isEqualTo(new LockLoss(KEY, handle.fencingToken(), LockLoss.Reason.FORCED))));
			}
		});
	}

	@Test
	void acquisitionIsPublishedAsEventOnlyWhenPropertyIsSet() {
		ApplicationContextRunner listening = this.contexts.withBean(Acquired.class).withBean(Losses.class);
		listening.withPropertyValues("watchdog-lock.events.acquired=true").run((context) -> {
			long token = takeAndLose(context.getBean(LockService.class));
			await().until(() -> !context.getBean(Losses.class).heard.isEmpty());
			assertThat(context.getBean(Acquired.class).heard).singleElement()
				.satisfies((event) -> assertThat(event.token()).isEqualTo(token));
		});
		listening.run((context) -> {
			takeAndLose(context.getBean(LockService.class));
			await().until(() -> !context.getBean(Losses.class).heard.isEmpty());
			assertThat(context.getBean(Acquired.class).heard).isEmpty();
		});
	}

	/*
	 * Events arrive in order: after the event of the loss, all earlier events have
	 * arrived.
	 */
	private static long takeAndLose(LockService locks) throws InterruptedException {
		try (LockHandle handle = locks.acquire(LockRequest.of(KEY))) {
			assertThat(locks.forceRelease(KEY)).isTrue();
			return handle.fencingToken();
		}
	}

	static class Acquired {

		private final List<LockAcquiredEvent> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(LockAcquiredEvent event) {
			this.heard.add(event);
		}

	}

	static class Losses {

		private final List<LockLostEvent> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(LockLostEvent event) {
			this.heard.add(event);
		}

	}

}
