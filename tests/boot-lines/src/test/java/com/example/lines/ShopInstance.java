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

package com.example.lines;

import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Another instance of the application, in addition to that of {@link ShopTest}.
 */
final class ShopInstance {

	private ShopInstance() {
	}

	static ConfigurableApplicationContext start(String... properties) {
		return start(ShopApplication.class, properties);
	}

	static ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return SpringApplication.run(application,
				Stream.of(Stream.of(properties), Stream.of("server.port=0", "spring.sql.init.mode=never"))
					.flatMap(Function.identity())
					.map((property) -> "--" + property)
					.toArray(String[]::new));
	}

}
