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

package io.github.watchdoglock.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Callers that leave at the moment in which their wait begins or ends.
 */
public final class WaiterRaces {

	private WaiterRaces() {
	}

	private static final class Outcomes {

		private final AtomicInteger granted = new AtomicInteger();

		private final AtomicInteger failed = new AtomicInteger();

		private volatile Waiter.@Nullable Outcome last;

		private void add(Waiter.Outcome outcome) {
			((outcome instanceof Waiter.Outcome.Granted) ? this.granted : this.failed).incrementAndGet();
			this.last = outcome;
		}

		private void releaseWhatWasGranted() {
			if (this.last instanceof Waiter.Outcome.Granted given) {
				Instance.close(given.handle());
			}
		}

		private void write(Instance instance, IIII_Result result) {
			result.r1 = this.granted.get();
			result.r2 = this.failed.get();
			result.r3 = instance.keysInUse();
			result.r4 = instance.leases.get();
		}

	}

	/**
	 * A waiting caller gives up while the lock is released.
	 */
	@JCStressTest
	@Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "The caller was granted the lock.")
	@Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The caller has left, and the lock is free.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The caller has two outcomes or none, or a lease or key is left.")
	@State
	public static class GrantMeetsLeaving {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private final Outcomes outcomes = new Outcomes();

		private final Waiter waiter = this.instance.caller(null, this.outcomes::add);

		public GrantMeetsLeaving() {
			this.instance.keys.join(this.waiter);
		}

		@Actor
		public void release() {
			Instance.close(this.handle);
		}

		@Actor
		public void leave() {
			this.waiter.leave(new CancellationException());
		}

		@Arbiter
		public void end(IIII_Result result) {
			this.outcomes.releaseWhatWasGranted();
			this.outcomes.write(this.instance, result);
		}

	}

	/**
	 * A waiting caller fails, and will not release a lock that it is granted, while the
	 * lock is released.
	 */
	@JCStressTest
	@Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "The caller was granted the lock, which is free.")
	@Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The caller has left, and the lock is free.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The lock is held by no caller, or the caller has two outcomes or none.")
	@State
	public static class GrantMeetsAbandoning {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private final Outcomes outcomes = new Outcomes();

		private final Waiter waiter = this.instance.caller(null, this.outcomes::add);

		public GrantMeetsAbandoning() {
			this.instance.keys.join(this.waiter);
		}

		@Actor
		public void release() {
			Instance.close(this.handle);
		}

		@Actor
		public void abandon() {
			this.waiter.abandon(new CancellationException());
		}

		@Arbiter
		public void end(IIII_Result result) {
			this.outcomes.write(this.instance, result);
		}

	}

	/**
	 * A caller gives up while it joins a key that another caller has.
	 */
	@JCStressTest
	@Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The caller has left.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The caller still waits, or has two outcomes.")
	@State
	public static class JoinMeetsLeaving {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private final Outcomes outcomes = new Outcomes();

		private final Waiter waiter = this.instance.caller(null, this.outcomes::add);

		@Actor
		public void join() {
			this.instance.keys.join(this.waiter);
		}

		@Actor
		public void leave() {
			this.waiter.leave(new CancellationException());
		}

		@Arbiter
		public void end(IIII_Result result) {
			Instance.close(this.handle);
			this.outcomes.releaseWhatWasGranted();
			this.outcomes.write(this.instance, result);
		}

	}

}
