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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A thread of an instance that runs seeded transactions, one after the other.
 */
final class TortureWorker extends Thread {

	static final int KEYS = 12;

	private final TortureShop shop;

	private final LockService locks;

	private final PlatformTransactionManager manager;

	private final TortureReport report;

	private final String phase;

	private final boolean fenced;

	/** This number of 1,000 transactions takes long. */
	private final int slow;

	private final Random random;

	private volatile boolean stopped;

	TortureWorker(TortureShop shop, LockService locks, PlatformTransactionManager manager, TortureReport report,
			String phase, boolean fenced, int slow, long seed) {
		this.shop = shop;
		this.locks = locks;
		this.manager = manager;
		this.report = report;
		this.phase = phase;
		this.fenced = fenced;
		this.slow = slow;
		this.random = new Random(seed);
		setDaemon(true);
	}

	@Override
	public void run() {
		while (!this.stopped) {
			try {
				this.report.begin();
				sell();
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (Exception ex) {
				if (!this.stopped) {
					this.report.failed(ex);
				}
			}
		}
	}

	void end() throws InterruptedException {
		this.stopped = true;
		join(300);
		interrupt();
		join(TimeUnit.SECONDS.toMillis(10));
		if (isAlive()) {
			throw new IllegalStateException("A thread does not end: " + List.of(getStackTrace()));
		}
	}

	private void sell() throws InterruptedException {
		List<String> keys = keys();
		int style = this.random.nextInt(100);
		if (style < 20) {
			Runnable work = () -> sellHere(keys);
			if (this.fenced) {
				this.shop.fenced(keys, work);
			}
			else {
				this.shop.plain(keys, work);
			}
			return;
		}
		List<LockRequest> requests = keys.stream().map(this::request).toList();
		try (LockHandles handles = this.locks.acquireAll(requests)) {
			TransactionTemplate transaction = transaction();
			if (style < 40) {
				// The promise begins with the method, not with its transaction.
				Map<String, Long> read = this.shop.read(keys);
				work();
				transaction.executeWithoutResult((status) -> write(keys, read));
			}
			else if (style < 50) {
				transaction.executeWithoutResult((status) -> sellHere(keys));
				work();
				transaction.executeWithoutResult((status) -> sellHere(keys));
			}
			else if (style < 55) {
				transaction.executeWithoutResult((status) -> sellAfterSavepoint(keys, status));
			}
			else {
				transaction.executeWithoutResult((status) -> sellHere(keys));
			}
		}
	}

	private List<String> keys() {
		TreeSet<String> keys = new TreeSet<>();
		int number = (this.random.nextInt(100) < 15) ? 2 : 1;
		while (keys.size() < number) {
			keys.add(this.phase + this.random.nextInt(KEYS));
		}
		return new ArrayList<>(keys);
	}

	private LockRequest request(String key) {
		return LockRequest.of(this.fenced ? TortureShop.FENCED : TortureShop.PLAIN, key)
			.withFenced(this.fenced)
			.withWaitTime(Duration.ofMillis((this.random.nextInt(10) == 0) ? 3_000 : 150));
	}

	private TransactionTemplate transaction() {
		TransactionTemplate transaction = new TransactionTemplate(this.manager);
		transaction.setIsolationLevel((this.random.nextInt(5) == 0) ? TransactionDefinition.ISOLATION_REPEATABLE_READ
				: TransactionDefinition.ISOLATION_READ_COMMITTED);
		return transaction;
	}

	private void sellAfterSavepoint(List<String> keys, TransactionStatus status) {
		Object savepoint = status.createSavepoint();
		sellHere(keys);
		status.rollbackToSavepoint(savepoint);
		sellHere(keys);
	}

	private void sellHere(List<String> keys) {
		write(keys, this.shop.read(keys));
	}

	private void write(List<String> keys, Map<String, Long> read) {
		Map<String, Boolean> alone = this.shop.areAlone(keys);
		boolean early = this.random.nextInt(3) == 0;
		if (!early) {
			work();
		}
		this.shop.write(read, alone, this.fenced ? TortureShop.FENCED : TortureShop.PLAIN);
		if (early) {
			work();
		}
	}

	private void work() {
		int millis = (this.random.nextInt(1_000) < this.slow) ? 50 + this.random.nextInt(200)
				: (this.random.nextInt(10) == 0) ? 1 + this.random.nextInt(20) : 0;
		try {
			if (millis > 0) {
				TimeUnit.MILLISECONDS.sleep(millis);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
