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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.samples.flashsale.SalesExport;
import io.github.watchdoglock.samples.flashsale.SalesReport;
import io.github.watchdoglock.samples.flashsale.SlowShop.Protection;
import io.github.watchdoglock.samples.flashsale.watch.Event.Kind;

import org.springframework.stereotype.Component;

/**
 * A listener that counts what happens to the locks of this instance, and writes events
 * for all pages. It may use the database, because listeners are called on a separate
 * thread.
 */
@Component
class LockDiary implements LockListener, LeaderListener {

	private static final Map<LockKey, String> WORK = Map.of(SalesReport.LOCK, "report", SalesExport.LOCK, "export",
			LastPhone.lock(Protection.PLAIN), "sale", LastPhone.lock(Protection.CHECKED), "sale",
			LastPhone.lock(Protection.FENCED), "sale");

	private final LongAdder renewals = new LongAdder();

	private final LongAdder handedOnHere = new LongAdder();

	private final LongAdder handedOnElsewhere = new LongAdder();

	private final LongAdder lost = new LongAdder();

	private final Events events;

	LockDiary(Events events) {
		this.events = events;
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
		this.events.add(Kind.WARNING, key.toString(),
				key + " could not be renewed: it is lost unless Redis answers in time");
	}

	@Override
	public void recovered(LockKey key, long token) {
		this.events.add(Kind.GOOD, key.toString(), key + " was renewed in time");
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.lost.increment();
		String work = WORK.get(loss.key());
		this.events.add(Kind.LOST, loss.key().toString(),
				(work != null) ? "The " + work + " lost its lock after " + seconds(held) + " and went on without it"
						: loss.key() + " was lost after " + seconds(held) + " (" + loss.reason().tag() + ")");
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		String work = WORK.get(key);
		if (work != null && !work.equals("sale")) {
			this.events.add(Kind.GOOD, key.toString(), "The " + work + " is written, and held its lock to the end");
		}
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		this.events.add(Kind.WARNING, key.toString(), key + " could not be released: it is free when Redis answers");
	}

	@Override
	public void granted(LeaderTerm term) {
		this.events.add(Kind.GOOD, term.role(), "Became the leader of " + term.role());
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		boolean resigned = reason == LockLoss.Reason.RESIGNED || reason == LockLoss.Reason.SHUTDOWN;
		this.events.add(resigned ? Kind.WARNING : Kind.LOST, term.role(),
				resigned ? "Resigned as leader of " + term.role()
						: "Lost the leadership of " + term.role() + " (" + reason.tag() + ")");
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

	private static String seconds(Duration time) {
		return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
	}

}
