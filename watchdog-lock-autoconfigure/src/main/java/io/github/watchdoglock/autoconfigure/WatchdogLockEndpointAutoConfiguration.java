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

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.actuate.AllLocksDescriptor;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.actuate.LocksEndpointJmxExtension;
import io.github.watchdoglock.actuate.LocksEndpointWebExtension;
import io.github.watchdoglock.engine.LockEngine;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration} of the endpoint of locks. Registers an answer that no method
 * declares, because its method has other answers too.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@ConditionalOnBean({ LockService.class, LocalLocks.class })
@EnableConfigurationProperties({ WatchdogLockProperties.class, LocksEndpointProperties.class })
@Import(InstanceLabel.class)
@RegisterReflectionForBinding(AllLocksDescriptor.class)
public final class WatchdogLockEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LocksEndpoint watchdogLockEndpoint(@Lazy LockService locks, LocalLocks local, ObjectProvider<EngineBean> engineBean,
			ObjectProvider<LeaseKeeping> keeping, ObjectProvider<SanitizingFunction> sanitizing,
			WatchdogLockProperties properties, LocksEndpointProperties endpoint, InstanceLabel label,
			Environment environment, ApplicationEventPublisher events, ObjectProvider<EndpointAccessResolver> access) {
		LockEngine engine = engineBean.stream().map(EngineBean::engine).findFirst().orElse(null);
		return new LocksEndpoint(label, locks, local, (engine != null) ? engine::idle : List::of,
				(engine != null) ? engine::holderStack : (held) -> List.of(),
				(engine != null) ? engine::holders : (key) -> locks.find(key).stream().toList(),
				() -> LeaseKeeping.survey(keeping, LeaseKeeping::survey),
				new Sanitizer(sanitizing.orderedStream().toList()), endpoint.showValues(), events,
				properties.keyRules()::admit,
				access.getIfAvailable(() -> new PropertiesEndpointAccessResolver(environment))
					.accessFor(EndpointId.of("locks"), Access.READ_ONLY));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LocksEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	LocksEndpointWebExtension watchdogLockEndpointWebExtension(LocksEndpoint endpoint,
			LocksEndpointProperties properties) {
		return new LocksEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(LocksEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.JMX)
	LocksEndpointJmxExtension watchdogLockEndpointJmxExtension(LocksEndpoint endpoint) {
		return new LocksEndpointJmxExtension(endpoint);
	}

}
