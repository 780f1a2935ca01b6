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
import java.util.concurrent.atomic.LongAdder;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Counts what happens to the locks of this instance, and writes down what is out of the
 * ordinary. It may take its time: listeners are called on a thread of their own.
 */
@Component
class LockDiary implements LockListener, LeaderListener {

	private final LongAdder renewals = new LongAdder();

	private final LongAdder handedOnHere = new LongAdder();

	private final LongAdder handedOnElsewhere = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final JdbcClient jdbc;

	private final String url;

	LockDiary(JdbcClient jdbc, @Value("${flash-sale.url}") String url) {
		this.jdbc = jdbc;
		this.url = url;
	}

	@Override
	public void renewed(LockKey key, long token) {
		this.renewals.increment();
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		((scope == Scope.LOCAL) ? this.handedOnHere : this.handedOnElsewhere).increment();
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		write(key + " at risk, unless Redis answers within " + remaining.toMillis() + " ms");
	}

	@Override
	public void recovered(LockKey key, long token) {
		write(key + " recovered, renewed in time");
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.lost.increment();
		write(loss.key() + " lost (" + loss.reason().tag() + "), its holder was told");
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		write(key + " not given back, free when Redis answers");
	}

	@Override
	public void granted(LeaderTerm term) {
		write("leads " + term.role());
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		boolean given = reason == LockLoss.Reason.RESIGNED || reason == LockLoss.Reason.SHUTDOWN;
		write(given ? "resigned as leader of " + term.role()
				: term.role() + " lost (" + reason.tag() + "), its leader was told");
	}

	long renewals() {
		return this.renewals.sum();
	}

	long handedOnHere() {
		return this.handedOnHere.sum();
	}

	long handedOnElsewhere() {
		return this.handedOnElsewhere.sum();
	}

	long lost() {
		return this.lost.sum();
	}

	private void write(String what) {
		this.jdbc.sql("insert into happening (url, what) values (?, ?)").params(this.url, what).update();
	}

}
