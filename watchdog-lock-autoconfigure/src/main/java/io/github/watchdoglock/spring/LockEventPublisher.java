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

package io.github.watchdoglock.spring;

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.event.LockAbandonedEvent;
import io.github.watchdoglock.event.LockAcquiredEvent;
import io.github.watchdoglock.event.LockAtRiskEvent;
import io.github.watchdoglock.event.LockLongHoldEvent;
import io.github.watchdoglock.event.LockLostEvent;
import io.github.watchdoglock.event.LockMaxHoldExceededEvent;
import io.github.watchdoglock.event.LockRecoveredEvent;
import io.github.watchdoglock.event.LockReleaseFailedEvent;
import io.github.watchdoglock.listener.SelectiveListener;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes application events when the exclusion of a lock is in doubt, and, if
 * configured, when a lock was acquired. It does not publish other routine notifications.
 *
 * @param publisher the publisher of the application
 * @param acquired whether to publish an event when a lock was acquired
 */
public record LockEventPublisher(ApplicationEventPublisher publisher, boolean acquired) implements SelectiveListener {

	private static final Log logger = LogFactory.getLog(LockEventPublisher.class);

	@Override
	public boolean receivesRepetitions() {
		return false;
	}

	@Override
	public boolean receivesRoutine() {
		return this.acquired;
	}

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		if (this.acquired) {
			publish(this.publisher, new LockAcquiredEvent(key, token, waited));
		}
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		publish(this.publisher, new LockAtRiskEvent(key, token, remaining, cause));
	}

	@Override
	public void recovered(LockKey key, long token) {
		publish(this.publisher, new LockRecoveredEvent(key, token));
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		publish(this.publisher, new LockLongHoldEvent(key, token, held, stack));
	}

	@Override
	public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		publish(this.publisher, new LockMaxHoldExceededEvent(key, token, held, stack));
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		publish(this.publisher, new LockAbandonedEvent(key, token, thread));
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		publish(this.publisher, new LockLostEvent(loss, held));
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		publish(this.publisher, new LockReleaseFailedEvent(key, token, cause));
	}

	/* While a context closes, its listeners are being destroyed. */
	static void publish(ApplicationEventPublisher publisher, Object event) {
		try {
			publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			if (!(publisher instanceof ConfigurableApplicationContext context) || !context.isClosed()) {
				throw ex;
			}
			logger.debug("Not all listeners received an event, because the context is closed: " + event, ex);
		}
	}

}
