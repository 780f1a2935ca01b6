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

import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The sales and the stock of articles. The lock is acquired before the transaction begins
 * and released after it has committed, so that the next buyer reads what this one wrote.
 */
@Service
public class Shop {

	private final Inventory inventory;

	private final Payment payment;

	Shop(Inventory inventory, Payment payment) {
		this.inventory = inventory;
		this.payment = payment;
	}

	@DistributedLock(name = "flash-sale", key = "#sku")
	@Transactional
	public void buy(String sku) {
		sell(sku);
	}

	@Transactional
	public void buyUnlocked(String sku) {
		sell(sku);
	}

	@DistributedLock(name = "flash-sale", key = "#sku")
	@Transactional
	public void restock(String sku, int quantity) {
		this.inventory.setStock(sku, quantity);
		this.inventory.deleteOrders(sku);
	}

	@Transactional(readOnly = true)
	public StockLevel level(String sku) {
		int stock = this.inventory.stock(sku).orElseThrow(() -> new UnknownSkuException(sku));
		return new StockLevel(sku, stock, this.inventory.sold(sku));
	}

	private void sell(String sku) {
		int stock = this.inventory.stock(sku).orElseThrow(() -> new UnknownSkuException(sku));
		if (stock == 0) {
			throw new SoldOutException(sku);
		}
		this.payment.take();
		this.inventory.setStock(sku, stock - 1);
		this.inventory.addOrder(sku);
	}

}
