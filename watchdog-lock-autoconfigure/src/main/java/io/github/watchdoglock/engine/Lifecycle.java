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
import java.util.concurrent.CompletionStage;

/**
 * Whether an engine takes locks: until it is stopped, again when it is started, and never
 * once it is closed. Thread-safe.
 */
final class Lifecycle {

	private final Core core;

	private final Cohorts cohorts;

	private final WakeUps wakeUps;

	private volatile boolean closed;

	Lifecycle(Core core, Cohorts cohorts, WakeUps wakeUps) {
		this.core = core;
		this.cohorts = cohorts;
		this.wakeUps = wakeUps;
		wakeUps.subscribe(core.instance(), cohorts);
	}

	void start() {
		this.core.setOpen(!this.closed);
	}

	/* What failed then is repeated for as long as a command may take. */
	CompletionStage<Void> stop() {
		Duration timeout = this.core.defaults().timeout();
		this.core.setOpen(false);
		this.cohorts.dismiss();
		return this.core.drain().whenEmpty().thenCompose((nothing) -> this.core.repeats().settle(timeout));
	}

	void close() {
		this.closed = true;
		var unused = stop();
		this.cohorts.abandon();
		this.wakeUps.unsubscribe(this.core.instance());
		this.core.watchdog().stop();
		this.core.repeats().close();
		this.core.events().close();
		if (this.core.completions() instanceof Completions completions) {
			completions.close();
		}
	}

}
