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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store that a hold has ended. Comes after its renewal has stopped; if it
 * fails, the lease runs out.
 */
final class Release {

	private final Core core;

	private final Hold hold;

	private final Duration held;

	private final ReleaseCommand command;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	Release(Core core, Hold hold) {
		this.core = core;
		this.hold = hold;
		this.held = Duration.ofNanos(core.now() - hold.acquired);
		this.command = new ReleaseCommand(hold.cohort.key, hold.grant.id, hold.token, Duration.ZERO, null,
				hold.grant.terms.timeout());
	}

	/* Complete when the store knows, or has failed; dependents run on an I/O thread. */
	CompletableFuture<Void> done() {
		return this.done;
	}

	void send() {
		var unused = Core.ask(() -> this.core.store().release(this.command)).whenComplete((answer, ex) -> {
			tell(answer, ex);
			this.core.drain().end();
			this.done.complete(null);
		});
	}

	private void tell(@Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		LockListener listener = this.core.events();
		if (answer != null && answer.ended() != ReleaseAnswer.Ended.LEASE) {
			// It was gone before, and nobody had noticed and told the holder.
			listener.lost(new LockLoss(this.hold.key, this.hold.token, LockLoss.Reason.GONE), this.held);
			return;
		}
		listener.released(this.hold.key, this.hold.token, this.held);
		if (answer == null) {
			listener.releaseFailed(this.hold.key, this.hold.token, Core.cause(ex));
		}
	}

}
