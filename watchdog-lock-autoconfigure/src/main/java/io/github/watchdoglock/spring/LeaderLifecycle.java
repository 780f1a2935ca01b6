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

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.springframework.context.SmartLifecycle;

/**
 * Has the instance stand for its roles while the context runs, and give its terms up when
 * it stops: the next phase waits for the end of their work.
 * <p>
 * Not promised: that it waits for ever. Spring ends the phase after
 * {@code spring.lifecycle.timeout-per-shutdown-phase}, whatever still works.
 */
public final class LeaderLifecycle implements SmartLifecycle {

	/**
	 * Stopped right before the executors of the application (1073741823), which work may
	 * need for its end, and after the web server; started right after those executors.
	 */
	public static final int PHASE = DEFAULT_PHASE / 2 + 1;

	private final Runnable open;

	private final Supplier<CompletionStage<Void>> close;

	private volatile boolean running;

	/**
	 * Create a lifecycle.
	 * @param open has the instance stand for its roles
	 * @param close has it give them up; its stage is complete when no work is left
	 */
	public LeaderLifecycle(Runnable open, Supplier<CompletionStage<Void>> close) {
		this.open = open;
		this.close = close;
	}

	@Override
	public void start() {
		this.open.run();
		this.running = true;
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	@Override
	public void stop(Runnable callback) {
		this.running = false;
		this.close.get().whenComplete((nothing, failure) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
