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

import java.time.Duration;
import java.util.List;
import java.util.Map;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The web interface of the shop.
 */
@RestController
class ShopController {

	private static final String SKU = "[A-Za-z0-9._-]{1,64}";

	private final Shop shop;

	private final SlowShop slowShop;

	private final SalesReport report;

	private final SalesExport export;

	ShopController(Shop shop, SlowShop slowShop, SalesReport report, SalesExport export) {
		this.shop = shop;
		this.slowShop = slowShop;
		this.report = report;
		this.export = export;
	}

	@PostMapping("/buy/{sku}")
	void buy(@PathVariable @Pattern(regexp = SKU) String sku, @RequestParam(defaultValue = "true") boolean locked) {
		if (locked) {
			this.shop.buy(sku);
		}
		else {
			this.shop.buyUnlocked(sku);
		}
	}

	@PostMapping("/buy-slowly/{sku}")
	void buySlowly(@PathVariable @Pattern(regexp = SKU) String sku,
			@RequestParam(defaultValue = "CHECKED") SlowShop.Protection lock) throws InterruptedException {
		switch (lock) {
			case PLAIN -> this.slowShop.buyWithPlainLease(sku);
			case CHECKED -> this.slowShop.buy(sku);
			case FENCED -> this.slowShop.buyFenced(sku);
		}
	}

	@PostMapping("/stock/{sku}")
	StockLevel restock(@PathVariable @Pattern(regexp = SKU) String sku,
			@RequestParam @Min(0) @Max(1_000_000) int quantity) {
		this.shop.restock(sku, quantity);
		return this.shop.level(sku);
	}

	@GetMapping("/stock/{sku}")
	StockLevel stock(@PathVariable @Pattern(regexp = SKU) String sku) {
		return this.shop.level(sku);
	}

	@PostMapping("/report")
	Map<String, Long> report(@RequestParam @Min(1) @Max(300) int seconds) throws InterruptedException {
		return Map.of("sold", this.report.write(Duration.ofSeconds(seconds)));
	}

	@PostMapping("/export")
	List<StockLevel> export(@RequestParam @Min(1) @Max(300) int seconds) throws InterruptedException {
		return this.export.write(Duration.ofSeconds(seconds));
	}

}
