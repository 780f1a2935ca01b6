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

package io.github.watchdoglock.snippets;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/**
 * Tests for a busy lock in an application of Spring WebFlux that calls its blocking
 * controllers outside the event loops.
 */
@SpringBootTest(classes = BusyLockOnWebFluxTests.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.main.web-application-type=reactive")
class BusyLockOnWebFluxTests extends BusyLockContract {

	static class Application extends BusyLockContract.Application {

		@Bean
		WebFluxConfigurer blockingControllers() {
			return new WebFluxConfigurer() {
				@Override
				public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
					configurer.setExecutor(new SimpleAsyncTaskExecutor())
						.setControllerMethodPredicate((method) -> true);
				}
			};
		}

	}

}
