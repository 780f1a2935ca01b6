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

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.event.LeadershipAtRiskEvent;
import io.github.watchdoglock.event.LeadershipGrantedEvent;
import io.github.watchdoglock.event.LeadershipRecoveredEvent;
import io.github.watchdoglock.event.LeadershipRevokedEvent;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes application events about terms.
 *
 * @param publisher the publisher of the application
 */
public record LeadershipEventPublisher(ApplicationEventPublisher publisher) implements LeaderListener {

	@Override
	public void granted(LeaderTerm term) {
		LockEventPublisher.publish(this.publisher, new LeadershipGrantedEvent(term));
	}

	@Override
	public void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
		LockEventPublisher.publish(this.publisher, new LeadershipAtRiskEvent(term, remaining, cause));
	}

	@Override
	public void recovered(LeaderTerm term) {
		LockEventPublisher.publish(this.publisher, new LeadershipRecoveredEvent(term));
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		LockEventPublisher.publish(this.publisher, new LeadershipRevokedEvent(term, reason));
	}

}
