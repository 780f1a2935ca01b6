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

package com.example.lines;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * A locked method of each kind. The results say whether the lock was held.
 */
@Service
public class Shop {

	private final Holds holds;

	private final JdbcTemplate jdbc;

	Shop(Holds holds, JdbcTemplate jdbc) {
		this.holds = holds;
		this.jdbc = jdbc;
	}

	/**
	 * Return a value.
	 * @param sku the article
	 * @return whether its lock was held
	 */
	@DistributedLock(name = "article", key = "#sku")
	public String buy(String sku) {
		return held(sku);
	}

	/**
	 * Return a value that may be absent.
	 * @param sku the article
	 * @return whether its lock was held; empty if another caller holds it
	 */
	@DistributedLock(name = "article", key = "#sku", waitTime = "0s", onContention = OnContention.SKIP)
	public Optional<String> find(String sku) {
		return Optional.of(held(sku));
	}

	/**
	 * Return a value that is completed later.
	 * @param sku the article
	 * @param ready completes the value
	 * @return whether its lock was held then
	 */
	@DistributedLock(name = "article", key = "#sku")
	public CompletableFuture<String> order(String sku, CompletableFuture<?> ready) {
		return ready.thenApply((same) -> held(sku));
	}

	/**
	 * Return a value for a subscriber.
	 * @param sku the article
	 * @return whether its lock was held
	 */
	@DistributedLock(name = "article", key = "#sku")
	public Mono<String> mono(String sku) {
		return Mono.fromSupplier(() -> held(sku));
	}

	/**
	 * Return values for a subscriber.
	 * @param sku the article
	 * @return whether its lock was held, twice
	 */
	@DistributedLock(name = "article", key = "#sku")
	public Flux<String> flux(String sku) {
		return Flux.range(1, 2).map((number) -> held(sku));
	}

	/**
	 * Return a value; a property of this lock sets the wait time.
	 * @param sku the article
	 * @return whether its lock was held
	 */
	@DistributedLock(name = "article.tried", key = "#sku")
	public String tried(String sku) {
		return this.holds.describe(LockKey.of("article.tried", sku));
	}

	/**
	 * Run a transaction under the lock.
	 * @param sku the article
	 * @param work further work in the transaction
	 */
	@DistributedLock(name = "article", key = "#sku", onLoss = OnLoss.FAIL)
	@Transactional
	public void put(String sku, Runnable work) {
		this.jdbc.update("insert into article (sku) values (?)", sku);
		work.run();
	}

	private String held(String sku) {
		return this.holds.describe(LockKey.of("article", sku));
	}

}
