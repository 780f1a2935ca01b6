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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.samples.flashsale.Shop;
import io.github.watchdoglock.samples.flashsale.SlowShop;
import io.github.watchdoglock.samples.flashsale.watch.Event.Kind;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.web.server.ResponseStatusException;

/**
 * The sale of one phone to two customers. The first one's lock is lost in the middle of
 * the sale, while the second one waits for it.
 */
@Service
public class LastPhone {

	static final String FENCED_SKU = "with-fence";

	static final String UNFENCED_SKU = "without-fence";

	private static final int PHONES = 1;

	private static final long MILLIS_BEFORE_LOSS = 1000;

	private final Requests requests;

	private final Shop shop;

	private final Instances instances;

	private final Events events;

	private final LockService locks;

	private final StringRedisTemplate redis;

	LastPhone(Requests requests, Shop shop, Instances instances, Events events, LockService locks,
			StringRedisTemplate redis) {
		this.requests = requests;
		this.shop = shop;
		this.instances = instances;
		this.events = events;
		this.locks = locks;
		this.redis = redis;
	}

	/**
	 * Send the customers.
	 * @param fenced whether they buy under a fenced lock
	 * @param pause whether the first customer's instance is paused; otherwise Redis
	 * forgets the lock
	 * @throws InterruptedException if the thread is interrupted
	 */
	@DistributedLock(name = "last-phone", waitTime = "0s")
	public void sell(boolean fenced, boolean pause) throws InterruptedException {
		String sku = fenced ? FENCED_SKU : UNFENCED_SKU;
		LockKey lock = LockKey.of(SlowShop.LOCK, sku);
		List<Instance> all = this.instances.list();
		Instance one = all.stream()
			.filter((instance) -> instance.pausable() || !pause)
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"No instance can be paused: start a second one"));
		Instance other = all.stream().filter((instance) -> !instance.equals(one)).findFirst().orElse(one);
		this.shop.restock(sku, PHONES);
		String buy = "/buy-slowly/" + sku + "?fenced=" + fenced;
		CompletableFuture<Integer> first = this.requests.post(one.url() + buy);
		awaitHolder(lock, first);
		CompletableFuture<Integer> second = this.requests.post(other.url() + buy);
		Thread.sleep(MILLIS_BEFORE_LOSS);
		if (pause) {
			add(Kind.WARNING, lock, "Paused " + one.url().replace("http://", "") + " for " + ProcessPauser.SECONDS
					+ " s in the middle of a sale");
			this.requests.post(one.url() + "/pause").join();
		}
		else {
			add(Kind.WARNING, lock, "Redis forgot " + lock + " in the middle of a sale");
			this.redis.delete("watchdog-lock:{" + lock + "}");
		}
		report(sku, lock, first.join(), second.join());
	}

	private void awaitHolder(LockKey lock, CompletableFuture<Integer> sale) throws InterruptedException {
		while (this.locks.find(lock).isEmpty() && !sale.isDone()) {
			Thread.sleep(50);
		}
	}

	private void report(String sku, LockKey lock, int first, int second) {
		long oversold = this.shop.level(sku).sold() - PHONES;
		if (oversold > 0) {
			add(Kind.OVERSOLD, lock, "Both customers bought the only phone: oversold by " + oversold);
		}
		else if (first == HttpStatus.OK.value() && second == HttpStatus.CONFLICT.value()) {
			add(Kind.GOOD, lock, "The second customer had to wait for the end of the first one's transaction,"
					+ " and found the phone sold out");
		}
		else {
			add(Kind.WARNING, lock, "The first customer got the status " + first + ", and the second one " + second);
		}
	}

	private void add(Kind kind, LockKey lock, String what) {
		this.events.add(kind, lock.toString(), what);
	}

}
