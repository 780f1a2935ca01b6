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

package io.github.watchdoglock.samples.flashsale;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The shop. Start it several times, each with its own {@code --server.port}: all
 * instances sell the same stock.
 */
@SpringBootApplication
@EnableScheduling
public class FlashSaleApplication {

	/**
	 * Start an instance.
	 * @param args options such as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		if (System.getProperty("h2.bindAddress") == null) {
			// The database is served to the other instances, and to no other machine.
			System.setProperty("h2.bindAddress", "127.0.0.1");
		}
		SpringApplication application = new SpringApplication(FlashSaleApplication.class);
		if (!Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
			application.addInitializers(new EmbeddedRedis());
		}
		application.run(args);
	}

}
