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

package io.github.watchdoglock.samples.flashsale;

import java.util.List;
import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The stock and the orders. It takes no database locks: a value that was read may be out
 * of date when another one is written.
 */
@Repository
class Inventory {

	private final JdbcClient jdbc;

	Inventory(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	Optional<Integer> stock(String sku) {
		return this.jdbc.sql("select stock from item where sku = ?").param(sku).query(Integer.class).optional();
	}

	long sold(String sku) {
		return this.jdbc.sql("select count(*) from orders where sku = ?").param(sku).query(Long.class).single();
	}

	long sold() {
		return this.jdbc.sql("select count(*) from orders").query(Long.class).single();
	}

	List<StockLevel> levels() {
		return this.jdbc.sql("""
				select sku, stock, (select count(*) from orders where orders.sku = item.sku) as sold
				from item order by sku""").query(StockLevel.class).list();
	}

	void setStock(String sku, int stock) {
		this.jdbc.sql("merge into item (sku, stock) values (?, ?)").params(sku, stock).update();
	}

	void addOrder(String sku) {
		this.jdbc.sql("insert into orders (sku) values (?)").param(sku).update();
	}

	void deleteOrders(String sku) {
		this.jdbc.sql("delete from orders where sku = ?").param(sku).update();
	}

}
