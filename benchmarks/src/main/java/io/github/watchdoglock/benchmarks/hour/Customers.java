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

package io.github.watchdoglock.benchmarks.hour;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is asked of the shops: few keys that both of them want, many that nobody asks for
 * again, and a report that is held for longer than its lease.
 */
final class Customers {

	private static final int ARTICLES = 20;

	/* Of a cache of 1,024 places that keys fill by chance, none is empty then. */
	private static final int STRANGERS_FIRST = 16_000;

	private static final int AT_ONCE = 16;

	private static final int STOCK = 1_000_000;

	private static final Duration RESTOCKING = Duration.ofMinutes(1);

	private static final int REPORT_SECONDS = 5;

	private final List<Shop> shops;

	private final int perSecond;

	private final Random random = new Random(14);

	private final Map<String, LongAdder> answers = new ConcurrentHashMap<>();

	private final Phaser asking = new Phaser(1);

	private long strangers;

	Customers(List<Shop> shops, int perSecond) {
		this.shops = shops;
		this.perSecond = perSecond;
	}

	/* Fill what is bounded, as fast as it goes. */
	void fill() throws InterruptedException {
		Semaphore free = new Semaphore(AT_ONCE);
		for (int i = 0; i < STRANGERS_FIRST; i++) {
			free.acquire();
			var unused = stranger().whenComplete((status, ex) -> free.release());
		}
		free.acquire(AT_ONCE);
	}

	/* Ask until then, and wait for all answers. */
	void askUntil(long deadline) throws InterruptedException {
		long next = System.nanoTime();
		long restock = next;
		long report = next;
		while (System.nanoTime() - deadline < 0) {
			if (next - restock >= 0) {
				restock += RESTOCKING.toNanos();
				restock();
			}
			if (next - report >= 0) {
				// Again before the last one is done: who comes meanwhile is told so.
				report += TimeUnit.SECONDS.toNanos(REPORT_SECONDS) / 2;
				ask("report", anyShop().post("/report?seconds=" + REPORT_SECONDS));
			}
			buy();
			next += TimeUnit.SECONDS.toNanos(1) / this.perSecond;
			TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
		}
		this.asking.awaitAdvanceInterruptibly(this.asking.arrive());
	}

	private void buy() {
		if (this.random.nextInt(5) == 0) {
			ask("stranger", stranger());
		}
		else {
			ask("buy", anyShop().post("/buy/article-" + this.random.nextInt(ARTICLES)));
		}
	}

	/* A key that nobody asks for again. */
	private CompletableFuture<Integer> stranger() {
		return anyShop().post("/buy/stranger-" + this.strangers++);
	}

	/* Which deletes the orders, too: the database does not grow. */
	private void restock() {
		for (int i = 0; i < ARTICLES; i++) {
			ask("restock", anyShop().post("/stock/article-" + i + "?quantity=" + STOCK));
		}
	}

	private Shop anyShop() {
		return this.shops.get(this.random.nextInt(this.shops.size()));
	}

	private void ask(String what, CompletableFuture<Integer> answer) {
		this.asking.register();
		var unused = answer.whenComplete((status, ex) -> {
			this.answers.computeIfAbsent(what + " " + status, (key) -> new LongAdder()).increment();
			this.asking.arriveAndDeregister();
		});
	}

	/* How many answers there were, by what was asked and the status. */
	Map<String, LongAdder> answers() {
		return new TreeMap<>(this.answers);
	}

}
