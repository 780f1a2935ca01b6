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

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.samples.flashsale.NightlyReport;
import io.github.watchdoglock.samples.flashsale.SlowShop.Protection;
import io.github.watchdoglock.samples.flashsale.StockLevel;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The snapshots that are taken while a page is open, the same ones for all pages.
 */
@Component
class Snapshots {

	private static final Duration PERIOD = Duration.ofMillis(100);

	private final JdbcClient jdbc;

	private final LockService locks;

	private final Instances instances;

	private final Events events;

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final Flux<Snapshot> snapshots;

	Snapshots(JdbcClient jdbc, LockService locks, Instances instances, Events events) {
		this.jdbc = jdbc;
		this.locks = locks;
		this.instances = instances;
		this.events = events;
		this.snapshots = Flux.interval(PERIOD)
			.onBackpressureDrop()
			.concatMap(
					(tick) -> Mono.fromCallable(this::take).subscribeOn(Schedulers.boundedElastic()).onErrorComplete(),
					1)
			.takeUntilOther(this.closed.asMono())
			.share();
	}

	Flux<Snapshot> watch() {
		return this.snapshots;
	}

	/* Otherwise the server would wait until the last page is closed. */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed.tryEmitEmpty();
	}

	private Snapshot take() {
		// Events first, because a Redis that was frozen before them does not answer.
		List<Event> latest = this.events.latest();
		boolean redisAnswers = redisAnswers();
		List<Instance> reported = this.instances.list();
		return Snapshot.of(System.currentTimeMillis(), redisAnswers, sales(), reported, latest);
	}

	private boolean redisAnswers() {
		try {
			this.locks.find(LockKey.ofRole(NightlyReport.ROLE));
			return true;
		}
		catch (LockStoreException ex) {
			return false;
		}
	}

	private List<StockLevel> sales() {
		return this.jdbc.sql("""
				select sku, stock, (select count(*) from orders where orders.sku = item.sku) as sold
				from item where sku in (?, ?, ?, ?, ?)""")
			.params(CustomerRush.LOCKED_SKU, CustomerRush.UNLOCKED_SKU, LastPhone.sku(Protection.PLAIN),
					LastPhone.sku(Protection.CHECKED), LastPhone.sku(Protection.FENCED))
			.query(StockLevel.class)
			.list();
	}

}
