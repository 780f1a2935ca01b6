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
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.samples.flashsale.NightlyReport;
import jakarta.annotation.PreDestroy;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Repository;

/**
 * The instances that run at the moment: each keeps a row in the database that they share.
 */
@Repository
class Instances {

	private final JdbcClient jdbc;

	private final LocalLocks locks;

	private final Leadership leadership;

	private final LockDiary diary;

	private final String url;

	private final boolean startedRedis;

	Instances(JdbcClient jdbc, LocalLocks locks, LeaderElection election, LockDiary diary,
			@Value("${flash-sale.url}") String url, @Value("${flash-sale.started-redis:false}") boolean startedRedis) {
		this.jdbc = jdbc;
		this.locks = locks;
		this.leadership = election.of(NightlyReport.ROLE);
		this.diary = diary;
		this.url = url;
		this.startedRedis = startedRedis;
	}

	List<Instance> list() {
		return this.jdbc.sql("select * from instance where seen > dateadd(second, -3, localtimestamp) order by url")
			.query(Instance.class)
			.list();
	}

	@Scheduled(fixedDelay = 200)
	void keepRow() {
		this.jdbc.sql("""
				merge into instance values (:url, localtimestamp, :startedRedis, :holds, :leads, :waiting, :atRisk,
					:renewals, :handedOnHere, :handedOnElsewhere, :lost)""").paramSource(self()).update();
	}

	@PreDestroy
	void deleteRow() {
		this.jdbc.sql("delete from instance where url = ?").param(this.url).update();
	}

	private Instance self() {
		List<LockSnapshot> all = this.locks.list();
		String holds = all.stream()
			.filter((lock) -> lock.status() == Status.HELD)
			.map((lock) -> lock.key().toString())
			.sorted()
			.collect(Collectors.joining(", "));
		return new Instance(this.url, this.startedRedis, holds, this.leadership.isLeader(),
				count(all, (lock) -> lock.status() == Status.WAITING), count(all, LockSnapshot::atRisk),
				this.diary.renewals(), this.diary.handedOnHere(), this.diary.handedOnElsewhere(), this.diary.lost());
	}

	private static int count(List<LockSnapshot> locks, Predicate<LockSnapshot> which) {
		return (int) locks.stream().filter(which).count();
	}

}
