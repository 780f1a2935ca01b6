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

import io.github.watchdoglock.samples.flashsale.watch.Event.Kind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The events of all instances, in the database that they share.
 */
@Repository
class Events {

	private static final Log logger = LogFactory.getLog(Events.class);

	private final ConfigurableApplicationContext context;

	private final JdbcClient jdbc;

	private final String url;

	Events(ConfigurableApplicationContext context, JdbcClient jdbc, @Value("${flash-sale.url}") String url) {
		this.context = context;
		this.jdbc = jdbc;
		this.url = url;
	}

	List<Event> latest() {
		return this.jdbc.sql("select * from event order by id desc limit 20").query(Event.class).list();
	}

	void add(Kind kind, String lock, String what) {
		try {
			this.jdbc.sql("insert into event (at, url, kind, lock, what) values (?, ?, ?, ?, ?)")
				.params(System.currentTimeMillis(), this.url, kind.name(), lock, what)
				.update();
		}
		catch (DataAccessException ex) {
			if (!this.context.isClosed()) {
				throw ex;
			}
			// H2 closes its database when the process ends.
			logger.debug("An event is not stored: " + what, ex);
		}
	}

}
