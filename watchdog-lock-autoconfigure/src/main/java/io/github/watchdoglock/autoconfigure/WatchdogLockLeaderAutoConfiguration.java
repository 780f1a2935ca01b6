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

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleLocks;
import io.github.watchdoglock.leader.RoleSettings;
import io.github.watchdoglock.leader.RoleStatus;
import io.github.watchdoglock.spring.LeadershipEventPublisher;
import io.github.watchdoglock.spring.LockLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration} of the {@link LeaderElection}, which uses the
 * {@link LockService} bean. Backs off if the application has its own.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnMissingBean(LeaderElection.class)
@EnableConfigurationProperties(WatchdogLockProperties.class)
public final class WatchdogLockLeaderAutoConfiguration {

	@Bean
	LeaderElections watchdogLockLeaderElection(WatchdogLockProperties properties, Environment environment,
			ObjectProvider<LockService> locks, ObjectProvider<EngineBean> engine, ApplicationEventPublisher events) {
		Duration workTimeout = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class,
				Duration.ofSeconds(30));
		LeaderElections elections = new LeaderElections(new ElectionLocks(locks, engine),
				(role) -> RoleSettings.of(properties.leaseTimeOfRole(role), properties.pollInterval(), workTimeout));
		properties.leaders().forEach((role, settings) -> {
			if (settings.candidate()) {
				elections.declare(role, null);
			}
		});
		elections.addListener(new LeadershipEventPublisher(events));
		return elections;
	}

	/*
	 * Runs when all singletons exist, because a listener may itself need the election, or
	 * locks.
	 */
	@Bean(defaultCandidate = false)
	SmartInitializingSingleton watchdogLockLeaderListeners(LeaderElections elections,
			ObjectProvider<LeaderListener> listeners) {
		return () -> listeners.orderedStream().forEach(elections::addListener);
	}

	@Bean
	LockLifecycle watchdogLockLeaderLifecycle(LeaderElections elections) {
		return LockLifecycle.ofElections(elections::stop);
	}

	/* If there is no store for locks, the startup fails. */
	@Bean
	LockLifecycle watchdogLockCandidacyLifecycle(LeaderElections elections, ObjectProvider<LockService> locks,
			ObjectProvider<InstanceLabel> label) {
		return LockLifecycle.ofCandidacies(() -> {
			if (elections.list().stream().anyMatch(RoleStatus::declared)) {
				var unused = locks.getObject();
				label.ifAvailable(InstanceLabel::resolve);
			}
			elections.start();
		});
	}

	private record ElectionLocks(ObjectProvider<LockService> locks,
			ObjectProvider<EngineBean> engine) implements RoleLocks {

		@Override
		public CompletableFuture<LockHandle> requestLock(LockRequest request) {
			return Objects.requireNonNull(this.locks.getObject().acquireAsync(request),
					"LockService.acquireAsync returned null. If the bean is a mock, stub this method.");
		}

		@Override
		public void stopRenewing(LockHandle handle) {
			this.engine.ifAvailable(
					(bean) -> bean.engine().lose(handle.key(), handle.fencingToken(), LockLoss.Reason.SHUTDOWN));
		}

	}

}
