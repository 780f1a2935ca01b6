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

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Callers of a key that retires.
 */
public final class RetirementRaces {

	private RetirementRaces() {
	}

	/**
	 * Two callers release the lock as soon as it is granted: the key retires after each.
	 */
	@JCStressTest
	@Outcome(id = "2, 0, 0, 0", expect = Expect.ACCEPTABLE,
			desc = "Both callers had the lock on a key in use, and nothing is left.")
	@Outcome(expect = Expect.FORBIDDEN,
			desc = "A caller got nothing, or a lock on a retired key, or a key or lease is left.")
	@State
	public static class CallersMeetTheRetirementOfTheirKey {

		private final Instance instance = new Instance();

		private int oneGranted;

		private int otherGranted;

		private int retired;

		private int use(Waiter.Outcome outcome) {
			if (this.instance.keysInUse() != 1) {
				this.retired = 1;
			}
			if (outcome instanceof Waiter.Outcome.Granted given) {
				Instance.close(given.handle());
				return 1;
			}
			return 0;
		}

		@Actor
		public void one() {
			this.instance.keys.join(this.instance.caller(null, (outcome) -> this.oneGranted += use(outcome)));
		}

		@Actor
		public void other() {
			this.instance.keys.join(this.instance.caller(null, (outcome) -> this.otherGranted += use(outcome)));
		}

		@Arbiter
		public void count(IIII_Result result) {
			result.r1 = this.oneGranted + this.otherGranted;
			result.r2 = this.retired;
			result.r3 = this.instance.keysInUse();
			result.r4 = this.instance.leases.get();
		}

	}

	/**
	 * A holder releases the lock, with which its key retires, while another caller joins.
	 */
	@JCStressTest
	@Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE,
			desc = "The caller had the lock on a key in use, and nothing is left.")
	@Outcome(expect = Expect.FORBIDDEN,
			desc = "The caller got nothing, or a lock on a retired key, or a key or lease is left.")
	@State
	public static class CallerMeetsTheRetirementAfterARelease {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private int granted;

		private int retired;

		private void use(Waiter.Outcome outcome) {
			if (this.instance.keysInUse() != 1) {
				this.retired = 1;
			}
			if (outcome instanceof Waiter.Outcome.Granted given) {
				this.granted++;
				Instance.close(given.handle());
			}
		}

		@Actor
		public void release() {
			Instance.close(this.handle);
		}

		@Actor
		public void join() {
			this.instance.keys.join(this.instance.caller(null, this::use));
		}

		@Arbiter
		public void count(IIII_Result result) {
			result.r1 = this.granted;
			result.r2 = this.retired;
			result.r3 = this.instance.keysInUse();
			result.r4 = this.instance.leases.get();
		}

	}

}
