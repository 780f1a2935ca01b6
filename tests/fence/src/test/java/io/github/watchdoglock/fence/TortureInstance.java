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

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockService;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The main class of an instance of the torture run, in a JVM of its own. It follows
 * commands, and ends with its input.
 */
public final class TortureInstance {

	private static final int THREADS = 4;

	private static final PrintStream OUT = System.out;

	private TortureInstance() {
	}

	/**
	 * Run the instance.
	 * @param args its number, the URL of the database and the port of Redis
	 */
	public static void main(String[] args) throws Exception {
		System.setOut(System.err);
		try (ConfigurableApplicationContext context = start(args);
				BufferedReader commands = new BufferedReader(
						new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			TortureReport report = context.getBean(TortureReport.class);
			report.reply("ready");
			List<TortureWorker> workers = new ArrayList<>();
			for (String line = commands.readLine(); line != null; line = commands.readLine()) {
				String[] words = line.split(" ", -1);
				for (TortureWorker worker : workers) {
					worker.end();
				}
				workers.clear();
				if (words[0].equals("start")) {
					FenceVariant variant = FenceVariant.valueOf(words[2]);
					context.getBean(FenceStatements.class).follow(variant);
					for (int i = 0; i < THREADS; i++) {
						workers.add(new TortureWorker(context.getBean(TortureShop.class),
								context.getBean(LockService.class), context.getBean(PlatformTransactionManager.class),
								report, words[1], variant.isFenced(), Integer.parseInt(words[3]),
								Long.parseLong(words[4]) + i));
					}
					workers.forEach(Thread::start);
				}
				report.reply(words[0]);
			}
		}
		// Paused or waiting threads would keep the process alive.
		Runtime.getRuntime().halt(0);
	}

	private static ConfigurableApplicationContext start(String[] args) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("torture.instance=" + args[0], "torture.url=" + args[1] + "&ApplicationName=torture-" + args[0],
					"spring.data.redis.port=" + args[2], "watchdog-lock.lease-time=2s", "watchdog-lock.on-loss=report",
					"watchdog-lock.fence.initialize-schema=always", "spring.main.banner-mode=off",
					"logging.level.root=error",
					"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
							+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration")
			.run();
	}

	/**
	 * The application.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		FenceStatements dataSource(Environment environment) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(environment.getRequiredProperty("torture.url"));
			pool.setMaximumPoolSize(2 * THREADS);
			return new FenceStatements(pool);
		}

		@Bean
		@Qualifier("watchdogLockObserver")
		TortureReport report() {
			return new TortureReport(OUT);
		}

		@Bean
		TortureShop shop(DataSource dataSource, LocalLocks locks, Environment environment) {
			return new TortureShop(new JdbcTemplate(dataSource), locks,
					environment.getRequiredProperty("torture.instance", Integer.class));
		}

	}

}
