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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.samples.flashsale.Shop;
import io.github.watchdoglock.samples.flashsale.SlowShop.Protection;
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

	private static final int PHONES = 1;

	private static final long MILLIS_BEFORE_LOSS = 1000;

	/*
	 * One sale at a time on this instance. A lock in Redis would be lost with those of
	 * the customers.
	 */
	private final ReentrantLock sale = new ReentrantLock();

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

	static String sku(Protection protection) {
		return protection.name().toLowerCase(Locale.ROOT);
	}

	static LockKey lock(Protection protection) {
		return protection.lock(sku(protection));
	}

	/**
	 * Send the customers.
	 * @param protection how their lock protects them
	 * @param mishap how the first customer's lock is lost
	 * @return the statuses of the answers to both
	 * @throws InterruptedException if the thread is interrupted
	 */
	public Statuses sell(Protection protection, Mishap mishap) throws InterruptedException {
		if (!this.sale.tryLock()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "This sale was already running");
		}
		try {
			return sellAlone(protection, mishap);
		}
		finally {
			this.sale.unlock();
		}
	}

	private Statuses sellAlone(Protection protection, Mishap mishap) throws InterruptedException {
		String sku = sku(protection);
		LockKey lock = lock(protection);
		List<Instance> all = this.instances.list();
		Instance one = (mishap != Mishap.PAUSE) ? first(all, (any) -> true, "No instance has reported its state yet")
				: first(all, Instance::pausable, "No instance can be paused: start a second one");
		Instance other = all.stream().filter((instance) -> !instance.equals(one)).findFirst().orElse(one);
		Instance ofRedis = (mishap != Mishap.RESTART) ? one
				: first(all, Instance::startedRedis, RedisFreezer.REDIS_OF_OTHERS);
		this.shop.restock(sku, PHONES);
		String buy = "/buy-slowly/" + sku + "?lock=" + protection;
		CompletableFuture<Integer> first = this.requests.post(one.url() + buy);
		awaitHolder(lock, first);
		CompletableFuture<Integer> second = this.requests.post(other.url() + buy);
		Thread.sleep(MILLIS_BEFORE_LOSS);
		boolean lost = switch (mishap) {
			case FORGET -> {
				add(Kind.MISHAP, lock, "Redis forgot " + lock + " in the middle of a sale");
				yield Boolean.TRUE.equals(this.redis.delete("watchdog-lock:{" + lock + "}"));
			}
			case RESTART -> {
				add(Kind.MISHAP, lock, "Redis restarted without its data in the middle of a sale");
				yield isDone(ofRedis.url() + "/restart-redis");
			}
			case PAUSE -> {
				add(Kind.MISHAP, lock, "Paused " + one.url().replace("http://", "") + " for " + ProcessPauser.SECONDS
						+ " s in the middle of a sale");
				yield isDone(one.url() + "/pause");
			}
		};
		Statuses statuses = new Statuses(first.join(), second.join());
		if (lost) {
			report(sku, lock, statuses);
		}
		else {
			add(Kind.WARNING, lock, "The first customer's lock was not lost, because " + mishap + " has failed");
		}
		return statuses;
	}

	private boolean isDone(String uri) {
		return this.requests.post(uri).join() == HttpStatus.OK.value();
	}

	private static Instance first(List<Instance> all, Predicate<Instance> suitable, String otherwise) {
		return all.stream()
			.filter(suitable)
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT, otherwise));
	}

	private void awaitHolder(LockKey lock, CompletableFuture<Integer> sale) throws InterruptedException {
		while (this.locks.find(lock).isEmpty() && !sale.isDone()) {
			Thread.sleep(50);
		}
	}

	private void report(String sku, LockKey lock, Statuses statuses) {
		int first = statuses.first();
		int second = statuses.second();
		long oversold = this.shop.level(sku).sold() - PHONES;
		if (oversold > 0) {
			add(Kind.OVERSOLD, lock, "Both customers bought the only phone: oversold by " + oversold);
		}
		else if (first == HttpStatus.OK.value() && second == HttpStatus.CONFLICT.value()) {
			add(Kind.GOOD, lock, "The second customer had to wait for the end of the first one's transaction,"
					+ " and found the phone sold out");
		}
		else if (first == HttpStatus.SERVICE_UNAVAILABLE.value() && second == HttpStatus.OK.value()) {
			add(Kind.GOOD, lock, "The first customer's sale was rolled back because its lock was lost,"
					+ " and the second one bought the phone");
		}
		else {
			add(Kind.WARNING, lock, "The first customer got the status " + first + ", and the second one " + second);
		}
	}

	private void add(Kind kind, LockKey lock, String what) {
		this.events.add(kind, lock.toString(), what);
	}

	/**
	 * The HTTP statuses of the answers to both customers.
	 *
	 * @param first that of the customer who got the lock first
	 * @param second that of the other one
	 */
	public record Statuses(int first, int second) {

	}

	/**
	 * How a lock is lost.
	 */
	public enum Mishap {

		/**
		 * Its key is deleted.
		 */
		FORGET,

		/**
		 * Redis is started again without its data.
		 */
		RESTART,

		/**
		 * The process of its holder stands still for longer than the lease.
		 */
		PAUSE

	}

}
