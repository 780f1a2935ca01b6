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
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for two instances that start at the same time, share a database, and use the
 * Redis that one of them starts.
 */
class FlashSaleIT {

	private static final int STOCK = 100;

	private static final int BUYERS = 400;

	private static final List<ShopInstance> shops = new ArrayList<>();

	@BeforeAll
	static void start(@TempDir Path data) throws IOException {
		int redisPort = ShopInstance.freePort();
		shops.add(ShopInstance.start("shop-1", data, redisPort));
		shops.add(ShopInstance.start("shop-2", data, redisPort));
		shops.forEach(ShopInstance::awaitReady);
	}

	@AfterAll
	static void stop() {
		shops.forEach(ShopInstance::close);
	}

	@Test
	void lockedSaleSellsExactlyItsStock() {
		restock("locked");
		List<Integer> statuses = buy("/buy/locked");
		assertThat(level("locked")).isEqualTo("{\"sku\":\"locked\",\"stock\":0,\"sold\":100}");
		assertThat(Collections.frequency(statuses, 200)).isEqualTo(STOCK);
		assertThat(Collections.frequency(statuses, 409)).isEqualTo(BUYERS - STOCK);
	}

	@Test
	void saleWithoutLockOversellsStock() {
		restock("unlocked");
		List<Integer> statuses = buy("/buy/unlocked?locked=false");
		assertThat(Collections.frequency(statuses, 200)).as("sold without the lock, more than the stock")
			.isGreaterThan(STOCK);
		assertThat(level("unlocked")).doesNotContain("\"sold\":100}");
	}

	@Test
	void reportOutlivesItsLeaseAndIsWrittenByOneInstance() {
		CompletableFuture<HttpResponse<String>> report = shops.get(0).post("/report?seconds=5");
		await().until(() -> shops.get(0).get("/actuator/metrics/watchdog.lock.held").body().contains("\"value\":1"));
		HttpResponse<String> other = shops.get(1).post("/report?seconds=5").join();
		assertThat(other.statusCode()).isEqualTo(503);
		assertThat(other.headers().firstValue("Retry-After")).contains("1");
		assertThat(report.join().statusCode()).isEqualTo(200);
		assertThat(shops.get(0)
			.get("/actuator/metrics/watchdog.lock.renewals?tag=lock:sales-report&tag=outcome:renewed")
			.body()).contains("COUNT").doesNotContain("\"value\":0.0");
	}

	@Test
	void twoExportsRunAtOnceAndThirdIsRejected() {
		List<CompletableFuture<HttpResponse<String>>> two = shops.stream()
			.map((shop) -> shop.post("/export?seconds=3"))
			.toList();
		shops.forEach((shop) -> await()
			.until(() -> shop.get("/actuator/locks/sales-export").body().contains("\"heldCount\":1")));
		shops.forEach(
				(shop) -> assertThat(shop.post("/export?seconds=1").join().statusCode()).as("a third").isEqualTo(503));
		two.forEach((export) -> assertThat(export.join().statusCode()).isEqualTo(200));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void redisRunsOutsideProcessGroupOfInstances() throws IOException {
		List<ProcessHandle> redis = new ArrayList<>();
		List<Long> groups = new ArrayList<>();
		for (ShopInstance shop : shops) {
			redis.addAll(shop.process().descendants().toList());
			groups.add(group(shop.process()));
		}
		assertThat(redis).hasSize(1);
		assertThat(groups).doesNotContain(group(redis.get(0)));
	}

	/*
	 * The fields after the name, which is in parentheses: state, parent, process group.
	 */
	private static long group(ProcessHandle process) throws IOException {
		String stat = Files.readString(Path.of("/proc", "" + process.pid(), "stat"));
		return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4)[2]);
	}

	private static void restock(String sku) {
		assertThat(shops.get(0).post("/stock/" + sku + "?quantity=" + STOCK).join().statusCode()).isEqualTo(200);
	}

	private static List<Integer> buy(String path) {
		List<CompletableFuture<HttpResponse<String>>> purchases = IntStream.range(0, BUYERS)
			.mapToObj((i) -> shops.get(i % shops.size()).post(path))
			.toList();
		return purchases.stream().map((purchase) -> purchase.join().statusCode()).toList();
	}

	private static String level(String sku) {
		return shops.get(1).get("/stock/" + sku).body();
	}

}
