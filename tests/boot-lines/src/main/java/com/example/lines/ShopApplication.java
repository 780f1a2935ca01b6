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

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The main class of the application. If {@code shop.sku} names an article, the
 * application buys it and ends.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

	/**
	 * Start the application.
	 * @param args arguments of the application
	 */
	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

	@Bean
	CommandLineRunner buying(Shop shop, @Value("${shop.sku:}") String sku) {
		return (args) -> {
			if (!sku.isEmpty()) {
				System.out.println(sku + " was bought, its lock " + shop.buy(sku));
				System.exit(0);
			}
		};
	}

}
