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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the last phone: two customers want it, and Redis is restarted without its
 * data while the first one is paying and the second one waits for the lock.
 */
class LostLockIT {

	private static ShopInstance shop;

	@BeforeAll
	static void start(@TempDir Path data) throws IOException {
		shop = ShopInstance.start("lost-lock", data, ShopInstance.freePort());
		shop.awaitReady();
	}

	@AfterAll
	static void stop() {
		shop.close();
	}

	@Test
	void plainLeaseOversellsWhenRedisRestarts() {
		assertThat(restartRedisDuringSale("PLAIN")).isEqualTo("{\"first\":200,\"second\":200}");
		assertThat(shop.get("/stock/plain").body()).contains("\"sold\":2");
	}

	@Test
	void firstSaleIsRolledBackWhenRedisRestarts() {
		assertThat(restartRedisDuringSale("CHECKED")).isEqualTo("{\"first\":503,\"second\":200}");
		assertThat(shop.get("/stock/checked").body()).contains("\"sold\":1");
	}

	@Test
	void secondCustomerFindsPhoneSoldOutUnderFence() {
		assertThat(restartRedisDuringSale("FENCED")).isEqualTo("{\"first\":200,\"second\":409}");
		assertThat(shop.get("/stock/fenced").body()).contains("\"sold\":1");
	}

	/* Returns the statuses of the answers to both customers. */
	private static String restartRedisDuringSale(String lock) {
		return shop.post("/last-phone?mishap=RESTART&lock=" + lock).join().body();
	}

}
