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
import io.github.watchdoglock.samples.flashsale.StockLevel;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Takes pictures while somebody watches, the same for all who do.
 */
@Component
class Pictures {

	private static final Duration PERIOD = Duration.ofMillis(100);

	private static final List<LockKey> KEYS = List.of(LockKey.of("flash-sale", CustomerRush.LOCKED_SKU),
			LockKey.of("sales-report"), LockKey.of("sales-export"));

	private final JdbcClient jdbc;

	private final LockService locks;

	private final Instances instances;

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private final Flux<Picture> pictures;

	Pictures(JdbcClient jdbc, LockService locks, Instances instances) {
		this.jdbc = jdbc;
		this.locks = locks;
		this.instances = instances;
		this.pictures = Flux.interval(PERIOD)
			.onBackpressureDrop()
			.concatMap(
					(tick) -> Mono.fromCallable(this::take).subscribeOn(Schedulers.boundedElastic()).onErrorComplete(),
					1)
			.takeUntilOther(this.closed.asMono())
			.share();
	}

	Flux<Picture> watch() {
		return this.pictures;
	}

	/* Else the server would wait for those who watch to go away. */
	@EventListener(ContextClosedEvent.class)
	void close() {
		this.closed.tryEmitEmpty();
	}

	private Picture take() {
		List<Picture.Lock> states = locks();
		Picture.Leader leader = (states != null) ? leader() : null;
		long at = System.currentTimeMillis();
		return new Picture(at, sales(), states, leader, this.instances.list(), happenings());
	}

	private @Nullable List<Picture.Lock> locks() {
		try {
			return KEYS.stream().map(this::lock).toList();
		}
		catch (LockStoreException ex) {
			return null;
		}
	}

	private Picture.@Nullable Leader leader() {
		try {
			return this.locks.find(LockKey.ofRole(NightlyReport.ROLE))
				.map((state) -> new Picture.Leader(NightlyReport.ROLE, state.holder(), state.token(),
						state.remaining().toMillis(), state.waiting()))
				.orElseGet(() -> new Picture.Leader(NightlyReport.ROLE, null, 0, 0, 0));
		}
		catch (LockStoreException ex) {
			return null;
		}
	}

	private Picture.Lock lock(LockKey key) {
		return this.locks.find(key)
			.map((state) -> new Picture.Lock(key.toString(), state.holder(), state.mode().tag(), state.holders(),
					state.remaining().toMillis(), state.waiting()))
			.orElseGet(() -> new Picture.Lock(key.toString(), null, null, 0, 0, 0));
	}

	private List<StockLevel> sales() {
		return this.jdbc.sql("""
				select sku, stock, (select count(*) from orders where orders.sku = item.sku) as sold
				from item where sku in (?, ?)""")
			.params(CustomerRush.LOCKED_SKU, CustomerRush.UNLOCKED_SKU)
			.query(StockLevel.class)
			.list();
	}

	private List<Happening> happenings() {
		return this.jdbc
			.sql("select id, formatdatetime(at, 'HH:mm:ss') as at, url, what from happening order by id desc limit 6")
			.query(Happening.class)
			.list();
	}

}
