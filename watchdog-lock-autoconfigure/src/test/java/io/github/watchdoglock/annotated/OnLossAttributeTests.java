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

package io.github.watchdoglock.annotated;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The attribute {@code onLoss}.
 */
class OnLossAttributeTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class,
			"watchdog-lock.locks.by-property.on-loss=fail");

	private final Work work = application.bean(Work.class);

	@Test
	void reportedLossLeavesTheWorkAlone() {
		assertThat(this.work.report()).isEqualTo("done, not interrupted");
	}

	@Test
	void propertyCountsWhereTheAnnotationIsSilent() {
		assertThat(this.work.silent()).isEqualTo("done, not interrupted");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.work::byProperty);
	}

	@Test
	void lossInterruptsTheWorkAndTheFlagIsGoneAfterwards() {
		assertThat(this.work.interrupt()).isEqualTo("done, interrupted");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void lossFailsTheWork() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.work::fail);
	}

	@Test
	void exceptionOfTheWorkIsNotMasked() {
		assertThatIllegalStateException().isThrownBy(this.work::failItself).withMessage("own");
	}

	static class Work {

		private final LockService service;

		private final LocalLocks locks;

		Work(LockService service, LocalLocks locks) {
			this.service = service;
			this.locks = locks;
		}

		@DistributedLock("orders")
		String silent() {
			return lose();
		}

		@DistributedLock("by-property")
		String byProperty() {
			return lose();
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.REPORT)
		String report() {
			return lose();
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.INTERRUPT)
		String interrupt() {
			return lose();
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.FAIL)
		String fail() {
			return lose();
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.FAIL)
		String failItself() {
			throw new IllegalStateException(lose().isEmpty() ? "" : "own");
		}

		/* The loss has been felt when the force returns. */
		private String lose() {
			LockHandle handle = this.locks.current().get(0);
			assertThat(this.service.forceRelease(handle.key())).isTrue();
			while (handle.isHeld()) {
				Thread.onSpinWait();
			}
			return Thread.currentThread().isInterrupted() ? "done, interrupted" : "done, not interrupted";
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
