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

package io.github.watchdoglock.snippets;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The shop as a web controller, and its possible errors.
 */
@RestController
class ShopController {

	private final Shop shop;

	ShopController(Shop shop) {
		this.shop = shop;
	}

	@GetMapping("/buy/{sku}")
	String buy(@PathVariable String sku) {
		return this.shop.buy(sku);
	}

	@GetMapping("/buy-later/{sku}")
	Mono<String> buyLater(@PathVariable String sku) {
		return this.shop.buyLater(sku);
	}

	@GetMapping("/without-redis")
	String withoutRedis() {
		throw new LockStoreException("Redis is away", new IllegalStateException());
	}

	@GetMapping("/shutting-down")
	String shuttingDown() {
		throw new LockServiceClosedException(LockKey.of("flash-sale"));
	}

	/**
	 * Handlers whose lock is not worth a retry.
	 *
	 * @param shop sells
	 */
	@RestController
	record Reports(Shop shop) {

		@GetMapping("/report/{sku}")
		String write(@PathVariable String sku) {
			return this.shop.buy(sku);
		}

		@ExceptionHandler
		ResponseEntity<String> writtenAlready(LockNotAcquiredException ex) {
			return ResponseEntity.status(409).body("Somebody writes it already");
		}

	}

}
