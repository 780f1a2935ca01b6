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

package com.example;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.ReactiveLockService;
import org.apache.curator.framework.CuratorFramework;
import org.redisson.api.RedissonClient;
import reactor.core.publisher.Mono;

import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The context that code of pages assumes: an application with the names in that code, and
 * injected beans.
 */
@SuppressWarnings({ "NullAway", "unused" })
public abstract class Assumed {

	protected LockService lockService;

	protected LocalLocks localLocks;

	protected ReactiveLockService reactiveLockService;

	protected JdbcTemplate jdbc;

	protected RedissonClient redisson;

	protected CuratorFramework curator;

	protected LockRegistry<Lock> registry;

	protected Shop shop;

	protected Alarm alarm;

	protected String sku;

	protected String id;

	protected String tenant;

	protected String number;

	protected String from;

	protected String to;

	protected int amount;

	protected abstract Receipt sell(String sku);

	protected abstract Receipt sell(String sku, long token);

	protected abstract void restock(String sku, long token);

	protected abstract void reserve(String sku);

	protected abstract void pay(String sku);

	protected abstract void ship(String id);

	protected abstract void ship(String id, long token);

	protected abstract void pack(Order order);

	protected abstract int takeFromStock(Order order);

	protected abstract void report();

	/**
	 * Sells articles.
	 */
	public interface Shop {

		void buy(String sku);

		Mono<Receipt> sell(String sku);

	}

	/**
	 * Accepts payments.
	 */
	public interface Payment {

		boolean take();

	}

	/**
	 * Calls people.
	 */
	public interface Alarm {

		void raise(LockKey key, long token, LockLoss.Reason reason, Duration held);

	}

	/**
	 * Provides news.
	 */
	public interface Feed {

		void readNext();

	}

	/**
	 * An order.
	 */
	public record Order(String sku) {

	}

	/**
	 * A receipt of a payment.
	 */
	public record Receipt(String sku) {

		public static Receipt none() {
			return new Receipt("");
		}

	}

	/**
	 * The application's exception if a lock cannot be acquired.
	 */
	public static class BusyException extends RuntimeException {

	}

	/**
	 * Acquires locks in code.
	 */
	public static class Checkout {

		public Checkout(LockService lockService) {
		}

		public void buy(String sku) {
		}

	}

}
