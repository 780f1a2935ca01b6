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

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * {@link AutoConfiguration} of the answer of web applications to requests for which a
 * lock is busy.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnWebApplication
@EnableConfigurationProperties(WatchdogLockProperties.class)
public final class WatchdogLockWebAutoConfiguration {

	@Bean
	BusyLockAdvice watchdogLockBusyAdvice(WatchdogLockProperties properties) {
		return new BusyLockAdvice(properties.retryAfter());
	}

}
