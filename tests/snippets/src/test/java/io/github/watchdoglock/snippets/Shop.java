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

import io.github.watchdoglock.annotation.DistributedLock;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sells under a lock, to waiting callers and to subscribers.
 */
@Service
class Shop {

	@DistributedLock(name = "flash-sale", key = "#sku")
	String buy(String sku) {
		return "bought " + sku;
	}

	@DistributedLock(name = "flash-sale", key = "#sku")
	Mono<String> buyLater(String sku) {
		return Mono.just("bought " + sku);
	}

}
