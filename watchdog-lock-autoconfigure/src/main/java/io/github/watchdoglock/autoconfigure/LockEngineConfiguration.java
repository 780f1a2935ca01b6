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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.actuate.RenewalHealth;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.spring.Commits;
import io.github.watchdoglock.spring.LockEventPublisher;
import io.github.watchdoglock.spring.LockLifecycle;
import io.github.watchdoglock.spring.LoggingLockListener;
import io.github.watchdoglock.spring.ThreadTransactions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.crac.Core;
import org.crac.Resource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * The configuration of the {@link LockService} that uses the store of the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(LeaseKeeping.class)
class LockEngineConfiguration {

	private static final Log logger = LogFactory.getLog(LockEngineConfiguration.class);

	@Bean
	EngineBean watchdogLockEngine(WatchdogLockProperties properties, InstanceLabel label, LeaseKeeping leases,
			ApplicationEventPublisher events,
			@Qualifier("watchdogLockObserver") ObjectProvider<EngineObserver> observers,
			@Qualifier("watchdogLockObserver") ObjectProvider<Instrumentation> instrumentations,
			@Qualifier("watchdogLockRenewalHealth") ObjectProvider<RenewalHealth> health,
			ObjectProvider<Commits> commits, ObjectProvider<LeaderElections> elections,
			ObjectProvider<AcquisitionGuard> guards,
			@Qualifier("watchdogLockNonBlockingThread") ObjectProvider<BooleanSupplier> nonBlocking) {
		NamedLocks named = new NamedLocks(properties);
		EngineSettings settings = new EngineSettings(label, properties.leaseTime(), properties.waitTime(),
				properties.pollInterval(), properties.leaseLimits(), properties.maxHoldTime(),
				properties.longHoldWarning(), properties.onLoss(), properties.awaitRelease(), properties.keyRules(),
				named.linger(), named.handOffs(), named.commitCheck());
		LockEngine engine = new LockEngine(settings, leases.store(), leases.inspector(), leases.wakeUps(),
				Stream.concat(observers.orderedStream(), health.stream()).toArray(EngineObserver[]::new));
		List<Instrumentation> all = instrumentations.orderedStream().toList();
		engine.customizations().instrument(Instrumentation.all(() -> all));
		engine.customizations().completeRequests(named::complete);
		engine.addListener(new LoggingLockListener(label));
		engine.addListener(new LockEventPublisher(events, properties.events().acquired()));
		commits.ifAvailable((asked) -> {
			engine.customizations().closeAfterTransactions(ThreadTransactions::closeAfterwards);
			engine.customizations()
				.warnOfEarlyReleases((name) -> ThreadTransactions.isActive() && !named.isReleasedAtReturn(name));
			asked.checkBy((fenced, flush) -> engine.ensureCommitAllowed(fenced, LeaderElections.ensureCommitAllowed(),
					flush));
		});
		elections.ifAvailable((present) -> engine.setRoleObserver(present.observer()));
		guards.ifAvailable(engine.customizations()::guardFenced);
		nonBlocking.ifAvailable(engine.customizations()::rejectBlocking);
		return new EngineBean(engine);
	}

	/*
	 * Created at the first use of locks, because that starts everything that locks need.
	 */
	@Bean
	@Lazy
	LockService watchdogLockService(EngineBean engine, LeaseKeeping leases, WatchdogLockProperties properties,
			InstanceLabel label) {
		label.resolve();
		logger.info("Locks are kept in " + leases.place() + ", with a lease of "
				+ PropertyProblems.print(properties.leaseTime()));
		return engine.engine();
	}

	@Bean
	@ConditionalOnMissingBean
	LocalLocks watchdogLockLocalLocks(EngineBean bean) {
		return bean.engine().localLocks();
	}

	/* Runs when all singletons exist, because a listener may itself need locks. */
	@Bean(defaultCandidate = false)
	SmartInitializingSingleton watchdogLockListenerRegistration(EngineBean engine,
			ObjectProvider<LockListener> listeners) {
		return () -> listeners.orderedStream().forEach(engine.engine()::addListener);
	}

	@Bean
	LockLifecycle watchdogLockLifecycle(EngineBean bean, LocalLocks locks) {
		LockEngine engine = bean.engine();
		return new LockLifecycle(engine::start, engine::stop, locks);
	}

	/* Without this check, fenced methods would fail when they are called. */
	@Bean(defaultCandidate = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(AcquisitionGuard.class)
	static SmartInitializingSingleton watchdogLockMissingFenceCheck(ObjectProvider<LockSpecSource> source) {
		return () -> source.ifAvailable((locks) -> {
			if (locks.isAnyFenced()) {
				throw new LockConfigurationException(
						"A lock is fenced, and spring-jdbc or Spring Boot's support for it is not on the class path.",
						"Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa, and a database; or leave out"
								+ " 'fenced'.");
			}
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Resource.class)
	static class CheckpointConfiguration {

		@Bean
		@Lazy(false)
		CheckpointResource watchdogLockCheckpoint(EngineBean engine, ObjectProvider<RedisLocks> redis) {
			CheckpointResource resource = new CheckpointResource(engine.engine(), redis.getIfAvailable());
			Core.getGlobalContext().register(resource);
			return resource;
		}

	}

}
