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

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration.UnguardedConfiguration;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleSettings;
import io.github.watchdoglock.leader.RoleStatus;
import io.github.watchdoglock.spring.LeadershipEventPublisher;
import io.github.watchdoglock.spring.LockLifecycle;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration} of the {@link LeaderElection}, over the {@link LockService}
 * that there is. Backs off where the application has one of its own.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnMissingBean(LeaderElection.class)
@EnableConfigurationProperties({ WatchdogLockProperties.class, LeadersProperties.class })
public final class WatchdogLockLeaderAutoConfiguration {

	@Bean
	LeaderElections watchdogLockLeaderElection(WatchdogLockProperties properties, LeadersProperties leaders,
			Environment environment, ObjectProvider<LockService> locks, ObjectProvider<LateEngine> engine,
			ObjectProvider<UnguardedConfiguration> unguarded, ApplicationEventPublisher events) {
		leaders.check(properties);
		Duration patience = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class,
				Duration.ofSeconds(30));
		LeaderElections elections = new LeaderElections(
				new EngineRoleLocks(() -> service(locks, engine.getIfAvailable(), unguarded.getIfAvailable()),
						() -> engine(engine.getIfAvailable())),
				(role) -> {
					Duration lease = leaders.leaseTime(role);
					return RoleSettings.of((lease != null) ? lease : properties.leaseTime(), properties.pollInterval(),
							patience);
				});
		leaders.leaders().forEach((role, said) -> {
			if (said.stand()) {
				elections.join(role, null);
			}
		});
		elections.addListener(new LeadershipEventPublisher(events));
		return elections;
	}

	/*
	 * To look the bean up creates what is behind it, unless a mock has replaced the bean.
	 * An application that defines a service of its own has nothing else.
	 */
	private static @Nullable LockService service(ObjectProvider<LockService> locks, @Nullable LateEngine late,
			@Nullable UnguardedConfiguration unguarded) {
		LockService bean = locks.getObject();
		if (late != null) {
			return late.find();
		}
		return (unguarded != null) ? unguarded.find() : bean;
	}

	private static @Nullable LockEngine engine(@Nullable LateEngine late) {
		return (late != null) ? late.find() : null;
	}

	/* A listener may itself need the election, or locks. */
	@Bean(defaultCandidate = false)
	SmartInitializingSingleton watchdogLockLeaderListeners(LeaderElections elections,
			ObjectProvider<LeaderListener> listeners) {
		return () -> listeners.orderedStream().forEach(elections::addListener);
	}

	/* Where there is nowhere to keep locks, the start fails. */
	@Bean
	LockLifecycle watchdogLockLeaderLifecycle(LeaderElections elections, ObjectProvider<LockService> locks) {
		return LockLifecycle.ofElections(() -> {
			if (elections.list().stream().anyMatch(RoleStatus::declared)) {
				var unused = locks.getObject();
			}
			elections.start();
		}, elections::stop);
	}

}
