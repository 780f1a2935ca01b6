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

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Ends whatever an attempt has in the store, while nobody waits for the answer. Repeated
 * for the length of the default lease until it is answered; what is left then ends by
 * itself.
 */
final class Undo extends Alarm {

	private final Core core;

	private final ReleaseCommand command;

	private final long until;

	private int failures;

	Undo(Core core, LockKey key, AttemptId attempt, long lastToken, Duration keep) {
		this.core = core;
		this.command = new ReleaseCommand(key, attempt, lastToken, keep, null, core.defaults().timeout());
		this.until = core.now() + core.defaults().length();
	}

	void send() {
		var unused = StoreCalls.ask(() -> this.core.store().release(this.command))
			.whenComplete((answer, ex) -> answered(answer));
	}

	private void answered(@Nullable ReleaseAnswer answer) {
		if (answer == null) {
			this.failures++;
			long again = this.core.now() + Backoff.after(this.failures);
			if (again - this.until < 0) {
				this.core.watchdog().set(this, again);
			}
		}
	}

	@Override
	void proceed(long now, RenewalBatch renewals) {
		send();
	}

}
