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
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.stereotype.Service;

/**
 * An export that needs much of the resources that all instances share: at most two are
 * written at once, in all instances together. Other callers are rejected at once.
 */
@Service
public class SalesExport {

	/** The lock of the exports. */
	public static final LockKey LOCK = LockKey.of("sales-export");

	/** How many exports may be written at the same time. */
	public static final int PERMITS = 2;

	private final Inventory inventory;

	private final SlowWork work;

	SalesExport(Inventory inventory, SlowWork work) {
		this.inventory = inventory;
		this.work = work;
	}

	@DistributedLock(name = "sales-export", permits = PERMITS, waitTime = "0s", onLoss = OnLoss.REPORT)
	public List<StockLevel> write(Duration time) throws InterruptedException {
		this.work.run(LOCK, time);
		return this.inventory.levels();
	}

}
