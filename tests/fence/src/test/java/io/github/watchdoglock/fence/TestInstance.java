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

package io.github.watchdoglock.fence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An instance of an application with its stock in a database.
 */
final class TestInstance implements AutoCloseable {

	static final int POOL = 8;

	private final ConfigurableApplicationContext context;

	TestInstance(String url, int redisPort, String... more) {
		List<String> properties = new ArrayList<>(List.of("spring.datasource.url=" + url,
				"spring.data.redis.port=" + redisPort, "watchdog-lock.fence.initialize-schema=always",
				"spring.main.banner-mode=off", "logging.level.root=warn", "spring.jpa.open-in-view=false",
				"spring.jpa.hibernate.ddl-auto=none", "spring.datasource.hikari.maximum-pool-size=" + POOL));
		properties.addAll(List.of(more));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties.toArray(String[]::new))
			.registerShutdownHook(false)
			.run();
	}

	/*
	 * Set the stock to this number of phones and of tablets, and remove everything else.
	 */
	void stockUp(int amount) {
		jdbc().execute("drop table if exists stock");
		jdbc().execute("create table stock (sku varchar(50) primary key, amount int)");
		jdbc().update("insert into stock values ('phone', ?), ('tablet', ?)", amount, amount);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	Stock stock() {
		return bean(Stock.class);
	}

	JdbcTemplate jdbc() {
		return bean(JdbcTemplate.class);
	}

	void publish(Object event) {
		this.context.publishEvent(event);
	}

	LockService locks() {
		return bean(LockService.class);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Stock stock(DataSource dataSource, PlatformTransactionManager manager) {
			return new Stock(new JdbcTemplate(dataSource), manager);
		}

		@Bean
		Delivery delivery(Stock stock) {
			return new Delivery(stock);
		}

	}

	/**
	 * The stock of articles.
	 */
	static class Stock {

		private final JdbcTemplate jdbc;

		private final PlatformTransactionManager manager;

		Stock(JdbcTemplate jdbc, PlatformTransactionManager manager) {
			this.jdbc = jdbc;
			this.manager = manager;
		}

		@DistributedLock(name = "stock", key = "#sku", fenced = true)
		@Transactional
		void sell(String sku, Runnable pause) {
			sellOne(sku, pause);
		}

		@DistributedLock(name = "stock", key = "#sku", onLoss = OnLoss.REPORT)
		@Transactional
		void sellUnfenced(String sku, Runnable pause) {
			sellOne(sku, pause);
		}

		@DistributedLock(name = "stock", key = "#sku")
		@Transactional
		void sellGuarded(String sku, Runnable pause) {
			sellOne(sku, pause);
		}

		@DistributedLock(name = "stock", key = "#sku", release = LockRelease.AT_RETURN)
		void sellAndReleaseAtReturn(String sku) {
			sellOne(sku, TestShop::nothing);
		}

		@DistributedLock(name = "stock", key = "#sku", fenced = true)
		<T extends @Nullable Object> T within(String sku, Supplier<T> work) {
			return work.get();
		}

		@DistributedLock(name = "stock", key = "#sku", fenced = true)
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		void sellInNew(String sku) {
			sellOne(sku, TestShop::nothing);
		}

		@Transactional
		void around(Runnable work) {
			work.run();
		}

		TransactionTemplate transaction(int isolation) {
			TransactionTemplate template = new TransactionTemplate(this.manager);
			template.setIsolationLevel(isolation);
			return template;
		}

		/* Reads an amount and writes the computed one: an update that may be lost. */
		void sellOne(String sku, Runnable pause) {
			int amount = amount(sku);
			pause.run();
			this.jdbc.update("update stock set amount = ? where sku = ?", amount - 1, sku);
		}

		int amount(String sku) {
			Integer amount = this.jdbc.queryForObject("select amount from stock where sku = ?", Integer.class, sku);
			return (amount != null) ? amount : 0;
		}

	}

	/**
	 * A listener that sells an ordered article once the order is committed.
	 *
	 * @param stock the stock
	 */
	record Delivery(Stock stock) {

		@TransactionalEventListener
		void on(Ordered order) {
			this.stock.sellInNew(order.sku());
		}

	}

	/**
	 * An order.
	 *
	 * @param sku the article
	 */
	record Ordered(String sku) {

	}

}
