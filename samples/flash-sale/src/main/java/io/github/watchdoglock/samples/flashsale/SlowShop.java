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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * A shop that sells so slowly that a lock can be lost in the middle of a sale. With the
 * fence, even then the next sale does not begin before the transaction of the earlier one
 * has ended.
 */
@Service
public class SlowShop {

	/** The name of the locks, one for each article. */
	public static final String LOCK = "stock";

	/** How long the payment for each sale takes. */
	public static final Duration PAYMENT = Duration.ofSeconds(4);

	private final Inventory inventory;

	private final SlowWork work;

	SlowShop(Inventory inventory, SlowWork work) {
		this.inventory = inventory;
		this.work = work;
	}

	@DistributedLock(name = "stock", key = "#sku", fenced = true)
	@Transactional
	public void buy(String sku) throws InterruptedException {
		sell(sku);
	}

	/* By default, a transaction whose lock is known to be lost would be rolled back. */
	@DistributedLock(name = "stock", key = "#sku", onLoss = OnLoss.REPORT)
	@Transactional
	public void buyUnfenced(String sku) throws InterruptedException {
		sell(sku);
	}

	private void sell(String sku) throws InterruptedException {
		int stock = this.inventory.stock(sku).orElseThrow(() -> new UnknownSkuException(sku));
		if (stock == 0) {
			throw new SoldOutException(sku);
		}
		this.work.run(LockKey.of(LOCK, sku), PAYMENT);
		this.inventory.setStock(sku, stock - 1);
		this.inventory.addOrder(sku);
	}

}
