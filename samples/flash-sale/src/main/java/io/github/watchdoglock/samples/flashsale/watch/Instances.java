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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.samples.flashsale.NightlyReport;
import io.github.watchdoglock.samples.flashsale.RedisProcess;
import io.github.watchdoglock.samples.flashsale.SlowWork;
import io.github.watchdoglock.samples.flashsale.watch.Instance.Hold;
import jakarta.annotation.PreDestroy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Repository;

/**
 * The running instances. Each of them keeps a row in the database that they share.
 */
@Repository
class Instances {

	private static final Log logger = LogFactory.getLog(Instances.class);

	private final JdbcClient jdbc;

	private final JsonMapper json;

	private final LocalLocks locks;

	private final Leadership leadership;

	private final SlowWork work;

	private final LockDiary diary;

	private final LogLines log;

	private final String url;

	private final boolean startedRedis;

	Instances(JdbcClient jdbc, JsonMapper json, LocalLocks locks, LeaderElection election, SlowWork work,
			LockDiary diary, LogLines log, @Value("${flash-sale.url}") String url, ObjectProvider<RedisProcess> redis) {
		this.jdbc = jdbc;
		this.json = json;
		this.locks = locks;
		this.leadership = election.of(NightlyReport.ROLE);
		this.work = work;
		this.diary = diary;
		this.log = log;
		this.url = url;
		this.startedRedis = redis.getIfAvailable() != null;
	}

	List<Instance> list() {
		return this.jdbc
			.sql("select state from instance_state where seen > dateadd(second, -3, localtimestamp) order by url")
			.query(String.class)
			.list()
			.stream()
			.map((state) -> this.json.readValue(state, Instance.class))
			.toList();
	}

	@Scheduled(fixedDelay = 100)
	void keepRow() {
		this.jdbc.sql("merge into instance_state values (?, localtimestamp, ?)")
			.params(this.url, this.json.writeValueAsString(self()))
			.update();
	}

	@PreDestroy
	void deleteRow() {
		try {
			this.jdbc.sql("delete from instance_state where url = ?").param(this.url).update();
		}
		catch (DataAccessException ex) {
			// Guard against race with H2, which closes its database when the process
			// ends.
			logger.debug("The row disappears after three seconds", ex);
		}
	}

	private Instance self() {
		// The lost locks come first: a lock that is lost right after this is in neither
		// list.
		List<String> unlocked = this.work.unlocked();
		List<LockSnapshot> all = this.locks.list();
		List<Hold> holds = new ArrayList<>();
		all.stream()
			.filter((lock) -> lock.status() == Status.HELD)
			.forEach((lock) -> holds.add(hold(lock.key().toString(), lock.fencingToken(), lock.remaining())));
		this.leadership.term()
			.ifPresent((term) -> holds.add(hold(NightlyReport.ROLE, term.number(), term.remaining())));
		Map<String, Long> waiting = all.stream()
			.filter((lock) -> lock.status() == Status.WAITING)
			.collect(Collectors.groupingBy((lock) -> lock.key().toString(), Collectors.counting()));
		return new Instance(this.url, this.startedRedis, isPausable(), holds, waiting, unlocked, this.diary.renewals(),
				this.diary.handedOnHere(), this.diary.handedOnElsewhere(), this.diary.lost(), this.log.latest());
	}

	/* The instance that serves the database to the others has the only local session. */
	private boolean isPausable() {
		return ProcessPauser.isPossible() && this.jdbc.sql("""
				select client_addr is not null from information_schema.sessions
				where session_id = session_id()""").query(Boolean.class).single();
	}

	private static Hold hold(String key, long token, Duration remaining) {
		return new Hold(key, token, System.currentTimeMillis() + remaining.toMillis());
	}

}
