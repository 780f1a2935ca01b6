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
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.samples.flashsale.Shop;

import org.springframework.stereotype.Service;

/**
 * A rush of four hundred customers at once, shared among all instances, to a hundred
 * phones. One rush at a time: the lock is held until the last customer has left.
 */
@Service
public class CustomerRush {

	static final String LOCKED_SKU = "with-lock";

	static final String UNLOCKED_SKU = "without-lock";

	private static final int PHONES = 100;

	private static final int CUSTOMERS = 400;

	private final Requests requests;

	private final Shop shop;

	private final Instances instances;

	CustomerRush(Requests requests, Shop shop, Instances instances) {
		this.requests = requests;
		this.shop = shop;
		this.instances = instances;
	}

	/**
	 * Send the customers.
	 * @param locked whether they buy under the lock
	 * @return the number of answers by their status, when all customers have left
	 */
	@DistributedLock(name = "customer-rush", waitTime = "0s")
	public CompletableFuture<Map<Integer, Long>> send(boolean locked) {
		String sku = locked ? LOCKED_SKU : UNLOCKED_SKU;
		this.shop.restock(sku, PHONES);
		List<String> shops = this.instances.list().stream().map(Instance::url).toList();
		List<CompletableFuture<Integer>> customers = IntStream.range(0, CUSTOMERS)
			.mapToObj((i) -> this.requests.post(shops.get(i % shops.size()) + "/buy/" + sku + "?locked=" + locked))
			.toList();
		return CompletableFuture.allOf(customers.toArray(new CompletableFuture<?>[0]))
			.thenApply((ended) -> customers.stream()
				.collect(Collectors.groupingBy(CompletableFuture::join, TreeMap::new, Collectors.counting())));
	}

}
