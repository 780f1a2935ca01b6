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

import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.JI_Result;
import org.openjdk.jcstress.infra.results.JZ_Result;
import org.openjdk.jcstress.infra.results.ZIJ_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Races of two threads on the handles of one hold. The word of a hold that was released
 * and has no handle is 1, that of a lost one is 3.
 */
public final class HoldRaces {

	private static final Entered ENTERED = new Entered();

	private HoldRaces() {
	}

	private static @Nullable Handle reenter(Instance instance, Handle handle) {
		return handle.reenter(false, instance.context.rules);
	}

	/**
	 * The last handle is closed while its thread acquires the lock again.
	 */
	@JCStressTest
	@Outcome(id = "false, 1, 1", expect = Expect.ACCEPTABLE, desc = "The hold has ended, and is not entered again.")
	@Outcome(id = "true, 0, 1", expect = Expect.ACCEPTABLE, desc = "The hold lasts until the second handle is closed.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A hold with an open handle was released, or a hold was never released.")
	@State
	public static class CloseMeetsReentry {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private @Nullable Handle again;

		@Actor
		public void close() {
			Instance.close(this.handle);
		}

		@Actor
		public void enterAgain() {
			this.again = reenter(this.instance, this.handle);
		}

		@Arbiter
		public void end(ZIJ_Result result) {
			result.r1 = this.again != null;
			result.r2 = this.instance.releases.get();
			Instance.close(this.again);
			result.r3 = this.handle.hold().word();
		}

	}

	/**
	 * The last two handles are closed.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The lock was released once.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The lock was never released, or twice.")
	@State
	public static class LastTwoHandlesAreClosed {

		private final Instance instance = new Instance();

		private final Handle first = this.instance.acquire();

		private final Handle second = Objects.requireNonNull(reenter(this.instance, this.first));

		@Actor
		public void closeFirst() {
			Instance.close(this.first);
		}

		@Actor
		public void closeSecond() {
			Instance.close(this.second);
		}

		@Arbiter
		public void end(JI_Result result) {
			result.r1 = this.first.hold().word();
			result.r2 = this.instance.releases.get();
		}

	}

	/**
	 * Two threads close one of two handles.
	 */
	@JCStressTest
	@Outcome(id = "true, 0, 1", expect = Expect.ACCEPTABLE, desc = "The hold lasts until the other handle is closed.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The handle was counted out twice.")
	@State
	public static class HandleIsClosedTwice {

		private final Instance instance = new Instance();

		private final Handle first = this.instance.acquire();

		private final Handle second = Objects.requireNonNull(reenter(this.instance, this.first));

		@Actor
		public void one() {
			Instance.close(this.second);
		}

		@Actor
		public void other() {
			Instance.close(this.second);
		}

		@Arbiter
		public void end(ZIJ_Result result) {
			result.r1 = this.first.hold().isOpen();
			result.r2 = this.instance.releases.get();
			Instance.close(this.first);
			result.r3 = this.first.hold().word();
		}

	}

	/**
	 * The last handle is closed while it is detached from its thread.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The lock was released once, and no handle is counted.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The handle was counted out twice, or a count was overwritten.")
	@State
	public static class CloseMeetsDetach {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		@Actor
		public void close() {
			Instance.close(this.handle);
		}

		@Actor
		public void detach() {
			this.handle.detach();
		}

		@Arbiter
		public void end(JI_Result result) {
			result.r1 = this.handle.hold().word();
			result.r2 = this.instance.releases.get();
		}

	}

	/**
	 * Two open handles are counted out.
	 */
	@JCStressTest
	@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "One of the two was the last handle.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "No handle was the last one, or both were, or a count is wrong.")
	@State
	public static class HandlesAreCountedOut {

		private final Hold hold = ENTERED.another();

		private int oneIsLast;

		private int otherIsLast;

		public HandlesAreCountedOut() {
			this.hold.reenter(OnLoss.REPORT);
		}

		@Actor
		public void one() {
			this.oneIsLast = Hold.isUnused(this.hold.countOut(OnLoss.REPORT)) ? 1 : 0;
		}

		@Actor
		public void other() {
			this.otherIsLast = Hold.isUnused(this.hold.countOut(OnLoss.REPORT)) ? 1 : 0;
		}

		@Arbiter
		public void end(IJ_Result result) {
			result.r1 = this.oneIsLast + this.otherIsLast;
			result.r2 = this.hold.word();
		}

	}

	/**
	 * The only handle is counted out while another one is counted.
	 */
	@JCStressTest
	@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It was the last handle.")
	@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The other handle was counted before.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A hold that ends was entered again, or never ends.")
	@State
	public static class CountOutMeetsReentry {

		private final Hold hold = ENTERED.another();

		private boolean last;

		private boolean entered;

		@Actor
		public void countOut() {
			this.last = Hold.isUnused(this.hold.countOut(OnLoss.REPORT));
		}

		@Actor
		public void enterAgain() {
			this.entered = this.hold.reenter(OnLoss.REPORT);
		}

		@Arbiter
		public void end(ZZ_Result result) {
			if (this.entered && Hold.isUnused(this.hold.countOut(OnLoss.REPORT)) == this.last) {
				throw new IllegalStateException("Of two handles both were the last one, or none");
			}
			result.r1 = this.last;
			result.r2 = this.entered;
		}

	}

	/**
	 * A closed handle is still being detached when its hold is released.
	 */
	@JCStressTest
	@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The hold is released, and no handle is counted.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "One of the two overwrote what the other one has written.")
	@State
	public static class ReleaseMeetsDetach {

		private final Hold hold = ENTERED.another();

		private final Handle closed = new Handle(this.hold, false, OnLoss.REPORT);

		private boolean released;

		public ReleaseMeetsDetach() {
			this.hold.countOut(null);
		}

		@Actor
		public void release() {
			this.released = this.hold.release();
		}

		@Actor
		public void detach() {
			this.hold.addDetached(this.closed);
			this.hold.detach(this.closed, OnLoss.REPORT);
		}

		@Arbiter
		public void end(ZJ_Result result) {
			result.r1 = this.released;
			result.r2 = this.hold.word();
		}

	}

	/**
	 * The last handle is closed while the hold is lost.
	 */
	@JCStressTest
	@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "The hold was released, and no loss is reported.")
	@Outcome(id = "3, true", expect = Expect.ACCEPTABLE, desc = "The hold was lost, and the loss is reported.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The hold was both released and lost, or a handle is still counted.")
	@State
	public static class ReleaseMeetsLoss {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private final CompletableFuture<LockLoss> lost = this.handle.hold().whenLost();

		@Actor
		public void close() {
			Instance.close(this.handle);
		}

		@Actor
		public void lose() {
			this.instance.lose(this.handle.hold(), LockLoss.Reason.FORCED);
		}

		@Arbiter
		public void end(JZ_Result result) {
			result.r1 = this.handle.hold().word();
			result.r2 = this.lost.isDone();
		}

	}

	/**
	 * The hold is lost while its thread acquires the lock again.
	 */
	@JCStressTest
	@Outcome(id = { "false, 3", "true, 3" }, expect = Expect.ACCEPTABLE,
			desc = "The hold was lost, and its handles were counted.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The loss or the new handle was overwritten.")
	@State
	public static class LossMeetsReentry {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private @Nullable Handle again;

		@Actor
		public void lose() {
			this.instance.lose(this.handle.hold(), LockLoss.Reason.FORCED);
		}

		@Actor
		public void enterAgain() {
			this.again = reenter(this.instance, this.handle);
		}

		@Arbiter
		public void end(ZJ_Result result) {
			result.r1 = this.again != null;
			Instance.close(this.again);
			Instance.close(this.handle);
			result.r2 = this.handle.hold().word();
		}

	}

	/**
	 * The hold is lost while its caller asks to be notified about that.
	 */
	@JCStressTest
	@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "The caller is notified.")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The caller is never notified.")
	@State
	public static class LossMeetsItsFuture {

		private final Instance instance = new Instance();

		private final Handle handle = this.instance.acquire();

		private @Nullable CompletableFuture<LockLoss> lost;

		@Actor
		public void lose() {
			this.instance.lose(this.handle.hold(), LockLoss.Reason.FORCED);
		}

		@Actor
		public void ask() {
			this.lost = this.handle.hold().whenLost();
		}

		@Arbiter
		public void end(Z_Result result) {
			result.r1 = Objects.requireNonNull(this.lost).isDone();
		}

	}

	/**
	 * A lease of which there may be many holds, for tests that read and write their words
	 * alone.
	 */
	private static final class Entered {

		private final Instance instance = new Instance();

		private final GrantedLease lease = this.instance.acquire().hold().lease;

		private final Waiter caller = this.instance.caller(this.instance.context.handles.owner(), null);

		/* With one handle. */
		private Hold another() {
			Hold hold = new Hold(this.lease, this.caller, 1, 0);
			var unused = hold.firstHandle();
			return hold;
		}

	}

}
