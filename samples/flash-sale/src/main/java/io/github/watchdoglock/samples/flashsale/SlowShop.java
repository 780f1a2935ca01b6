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
 * A shop that sells so slowly that a lock can be lost in the middle of a sale. Its
 * methods differ in nothing but the lock.
 */
@Service
public class SlowShop {

	/** How long the payment for each sale takes. */
	public static final Duration PAYMENT = Duration.ofSeconds(4);

	private final Inventory inventory;

	private final SlowWork work;

	SlowShop(Inventory inventory, SlowWork work) {
		this.inventory = inventory;
		this.work = work;
	}

	/* No commit is checked, as with most locks in Redis, and a loss changes nothing. */
	@DistributedLock(name = "plain-stock", key = "#sku", onLoss = OnLoss.REPORT)
	@Transactional
	public void buyWithPlainLease(String sku) throws InterruptedException {
		sell(sku, Protection.PLAIN);
	}

	@DistributedLock(name = "stock", key = "#sku")
	@Transactional
	public void buy(String sku) throws InterruptedException {
		sell(sku, Protection.CHECKED);
	}

	@DistributedLock(name = "stock", key = "#sku", fenced = true)
	@Transactional
	public void buyFenced(String sku) throws InterruptedException {
		sell(sku, Protection.FENCED);
	}

	private void sell(String sku, Protection protection) throws InterruptedException {
		int stock = this.inventory.stock(sku).orElseThrow(() -> new UnknownSkuException(sku));
		if (stock == 0) {
			throw new SoldOutException(sku);
		}
		this.work.run(protection.lock(sku), PAYMENT);
		this.inventory.setStock(sku, stock - 1);
		this.inventory.addOrder(sku);
	}

	/**
	 * How a lock protects the transaction of its holder.
	 */
	public enum Protection {

		/**
		 * By its lease alone.
		 */
		PLAIN,

		/**
		 * As it comes: the transaction is committed only under a lock that is held.
		 */
		CHECKED,

		/**
		 * The database makes the next sale wait for the end of this transaction.
		 */
		FENCED;

		/**
		 * Return the lock.
		 * @param sku the article
		 * @return the key of its lock
		 */
		public LockKey lock(String sku) {
			return LockKey.of((this == PLAIN) ? "plain-stock" : "stock", sku);
		}

	}

}
