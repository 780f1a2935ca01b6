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

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an instance whose beans were created at build time, as for a native image.
 */
class AheadOfTimeIT {

	@Test
	void shopSellsUnderItsLockAfterAotProcessing(@TempDir Path data) throws IOException {
		try (ShopInstance shop = ShopInstance.start("shop-aot", data, ShopInstance.freePort(),
				"-Dspring.aot.enabled=true")) {
			shop.awaitReady();
			assertThat(shop.post("/stock/phone?quantity=1").join().statusCode()).isEqualTo(200);
			assertThat(shop.post("/buy/phone").join().statusCode()).isEqualTo(200);
			assertThat(shop.post("/buy/phone").join().statusCode()).isEqualTo(409);
			assertThat(
					shop.get("/actuator/metrics/watchdog.lock.acquire?tag=lock:flash-sale&tag=outcome:acquired").body())
				.contains("\"value\":3.0");
		}
		assertThat(Path.of(System.getProperty("flash-sale.output"), "shop-aot.log")).content()
			.contains("Starting AOT-processed FlashSaleApplication");
	}

}
