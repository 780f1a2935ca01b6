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

package io.github.watchdoglock.spring;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;

import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * A bean that is started with a term and stopped with it.
 *
 * @param target the bean itself
 * @param name its name
 */
record LifecycleWork(Lifecycle target, String name) implements LeaderWork {

	@Override
	public void lead(LeaderTerm term) throws InterruptedException {
		begin();
		try {
			// The end of the term is an interrupt, which the start may have swallowed.
			CountDownLatch never = new CountDownLatch(1);
			while (term.isLeading()) {
				var unused = never.await(1, TimeUnit.SECONDS);
			}
			// Guard against an interrupt that is still under way: it is not for stop().
			var unused = never.await(1, TimeUnit.SECONDS);
		}
		finally {
			stop();
		}
	}

	/* What was begun by a start that fails is stopped, if that can be. */
	private void begin() {
		try {
			this.target.start();
		}
		catch (Throwable ex) {
			var unused = Thread.interrupted();
			try {
				this.target.stop();
			}
			catch (Throwable another) {
				ex.addSuppressed(another);
			}
			throw ex;
		}
	}

	/* However long that takes: an interrupt of before is not for it. */
	private void stop() {
		var unused = Thread.interrupted();
		if (!(this.target instanceof SmartLifecycle smart)) {
			this.target.stop();
			return;
		}
		CountDownLatch stopped = new CountDownLatch(1);
		smart.stop(stopped::countDown);
		boolean interrupted = false;
		while (stopped.getCount() > 0) {
			try {
				stopped.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return "bean '" + this.name + "'";
	}

}
