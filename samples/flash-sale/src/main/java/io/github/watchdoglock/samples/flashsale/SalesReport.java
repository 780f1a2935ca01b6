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

import java.time.Duration;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.stereotype.Service;

/**
 * A report that takes longer than the lease, so that the watchdog renews the lease. One
 * instance at a time writes it; other callers are rejected at once. A report that loses
 * its lock is written to its end, because it changes nothing.
 */
@Service
public class SalesReport {

	/** The lock of the report. */
	public static final LockKey LOCK = LockKey.of("sales-report");

	private final Inventory inventory;

	private final SlowWork work;

	SalesReport(Inventory inventory, SlowWork work) {
		this.inventory = inventory;
		this.work = work;
	}

	@DistributedLock(name = "sales-report", waitTime = "0s", onLoss = OnLoss.REPORT)
	public long write(Duration time) throws InterruptedException {
		long sold = this.inventory.sold();
		this.work.run(LOCK, time);
		return sold;
	}

}
