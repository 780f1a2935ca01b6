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

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.actuate.LeadersEndpoint;
import io.github.watchdoglock.actuate.LeadersEndpointWebExtension;
import io.github.watchdoglock.leader.LeaderElections;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration} of the endpoint of leaders.
 */
@AutoConfiguration(after = WatchdogLockLeaderAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LeadersEndpoint.class)
@ConditionalOnBean({ LockService.class, LeaderElections.class })
@Import(InstanceLabel.class)
public final class WatchdogLockLeadersEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeadersEndpoint watchdogLockLeadersEndpoint(LeaderElections elections, @Lazy LockService locks,
			ObjectProvider<EngineBean> engine, ObjectProvider<LeaseKeeping> keeping, InstanceLabel label,
			ApplicationEventPublisher events) {
		return new LeadersEndpoint(label, elections, locks, () -> LeaseKeeping.survey(keeping, LeaseKeeping::roles),
				(role) -> engine.stream().anyMatch((bean) -> bean.engine().requestResignation(role)), events);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LeadersEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	LeadersEndpointWebExtension watchdogLockLeadersEndpointWebExtension(LeadersEndpoint endpoint) {
		return new LeadersEndpointWebExtension(endpoint);
	}

}
