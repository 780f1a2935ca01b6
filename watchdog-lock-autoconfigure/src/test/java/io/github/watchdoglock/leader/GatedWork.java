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

package io.github.watchdoglock.leader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;

import static org.awaitility.Awaitility.await;

/**
 * Work that continues until the test ends it or, unless it is stubborn, until it is
 * interrupted.
 */
final class GatedWork implements LeaderWork {

	final List<LeaderTerm> terms = new CopyOnWriteArrayList<>();

	private final AtomicInteger working = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final boolean stubborn;

	private volatile CountDownLatch gate = new CountDownLatch(1);

	private volatile boolean failing;

	private GatedWork(boolean stubborn) {
		this.stubborn = stubborn;
	}

	static GatedWork willing() {
		return new GatedWork(false);
	}

	static GatedWork stubborn() {
		return new GatedWork(true);
	}

	@Override
	public void lead(LeaderTerm term) throws Exception {
		CountDownLatch mine = this.gate;
		this.most.accumulateAndGet(this.working.incrementAndGet(), Math::max);
		this.terms.add(term);
		try {
			boolean over = false;
			while (!over) {
				try {
					mine.await();
					over = true;
				}
				catch (InterruptedException ex) {
					if (!this.stubborn) {
						throw ex;
					}
				}
			}
			if (this.failing) {
				throw new IllegalStateException("of the test");
			}
		}
		finally {
			this.working.decrementAndGet();
		}
	}

	/** End the work by itself, once. */
	void end() {
		CountDownLatch mine = this.gate;
		this.gate = new CountDownLatch(1);
		mine.countDown();
	}

	void fail() {
		this.failing = true;
		end();
		awaitEnd();
		this.failing = false;
	}

	void awaitBegin(int terms) {
		await().until(() -> this.terms.size() == terms);
	}

	void awaitEnd() {
		await().until(() -> this.working.get() == 0);
	}

	boolean works() {
		return this.working.get() > 0;
	}

	int mostAtOnce() {
		return this.most.get();
	}

}
