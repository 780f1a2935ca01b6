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

package io.github.watchdoglock.scenario;

import java.util.List;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application without a web server: a few beans, and the auto-configuration of Boot.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SmallApplication {

	/* Run the application with properties as name=value. */
	static ConfigurableApplicationContext run(List<Class<?>> beans, String... properties) {
		return new SpringApplicationBuilder(SmallApplication.class).sources(beans.toArray(Class[]::new))
			.web(WebApplicationType.NONE)
			.properties(properties)
			.run();
	}

}
