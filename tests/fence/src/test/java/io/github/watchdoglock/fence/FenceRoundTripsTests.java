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

import java.net.URI;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that count the round trips of a fenced method to PostgreSQL, in comparison with
 * other ways to exclude concurrent updates.
 */
@EnabledIf("isInstalled")
class FenceRoundTripsTests {

	private static final String SKU = "phone";

	/* By then, statements are prepared on the server, and the fence has its row. */
	private static final int WARM_UP = 10;

	static boolean isInstalled() {
		return TestDatabase.installed().anyMatch(TestDatabase.POSTGRESQL::equals);
	}

	@Test
	void fenceCostsTwoRoundTripsToDatabase() throws Exception {
		URI server = URI.create(TestDatabase.POSTGRESQL.url().substring("jdbc:".length()));
		try (RoundTripProxy proxy = new RoundTripProxy(server.getPort());
				ConfigurableApplicationContext context = start(
						"jdbc:postgresql://127.0.0.1:" + proxy.port() + server.getPath() + "?" + server.getQuery())) {
			assertThat(context.getBean(JdbcTransactionManager.class)).isNotNull();
			Shop shop = context.getBean(Shop.class);
			shop.open();
			assertThat(roundTrips(proxy, shop::sellLocked)).as("update and commit").isEqualTo(2);
			assertThat(roundTrips(proxy, shop::sellFenced)).as("raise, look, update and commit").isEqualTo(4);
			assertThat(roundTrips(proxy, shop::sellForUpdate)).as("select, update and commit").isEqualTo(3);
		}
	}

	/* Some calls also include the pool's own checks of idle connections. */
	private static int roundTrips(RoundTripProxy proxy, Consumer<String> method) {
		for (int i = 0; i < WARM_UP; i++) {
			method.accept(SKU);
		}
		return IntStream.range(0, WARM_UP).map((i) -> {
			int before = proxy.requests();
			method.accept(SKU);
			return proxy.requests() - before;
		}).min().orElseThrow();
	}

	/* With one connection, so that no other connections are opened meanwhile. */
	private static ConfigurableApplicationContext start(String url) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.datasource.url=" + url, "spring.datasource.hikari.maximum-pool-size=1",
					"spring.data.jpa.repositories.enabled=false", "watchdog-lock.store=local",
					"watchdog-lock.fence.initialize-schema=always", "spring.main.banner-mode=off",
					"logging.level.root=warn")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
	static class Application {

		@Bean
		Shop shop(DataSource dataSource) {
			return new Shop(new JdbcTemplate(dataSource));
		}

	}

	/**
	 * A shop that sells one article in three ways.
	 */
	static class Shop {

		private final JdbcTemplate jdbc;

		Shop(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		void open() {
			this.jdbc.execute("drop table if exists round_trips");
			this.jdbc.execute("create table round_trips (sku varchar(50) primary key, amount int)");
			this.jdbc.update("insert into round_trips values (?, 1000)", SKU);
		}

		@DistributedLock(name = "round-trips", key = "#sku", fenced = true)
		@Transactional
		void sellFenced(String sku) {
			sell(sku);
		}

		@DistributedLock(name = "round-trips-unfenced", key = "#sku")
		@Transactional
		void sellLocked(String sku) {
			sell(sku);
		}

		@Transactional
		void sellForUpdate(String sku) {
			this.jdbc.queryForObject("select amount from round_trips where sku = ? for update", Integer.class, sku);
			sell(sku);
		}

		private void sell(String sku) {
			this.jdbc.update("update round_trips set amount = amount - 1 where sku = ?", sku);
		}

	}

}
