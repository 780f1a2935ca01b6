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

package io.github.watchdoglock.metrics;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.listener.EngineObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Times commands to the store, by how they end. Renewals that are sent together count one
 * by one.
 */
public final class CommandMeters implements EngineObserver {

	private static final int DEEPEST_CAUSE = 16;

	private final Map<Command, Timers> timers = new EnumMap<>(Command.class);

	/**
	 * Register the timers.
	 * @param registry where to register them
	 */
	public CommandMeters(MeterRegistry registry) {
		for (Command command : Command.values()) {
			this.timers.put(command, Guard.register(registry, (target) -> Timers.of(target, command)));
		}
	}

	@Override
	public boolean hearsRoutine() {
		return false;
	}

	@Override
	public void commandEnded(Command command, Duration took, @Nullable Throwable failure) {
		Timers timers = Objects.requireNonNull(this.timers.get(command));
		Timer timer = (failure != null) ? timers.failed(failure) : timers.ok;
		Guard.run(() -> timer.record(took));
	}

	private static boolean isTimeout(Throwable failure) {
		Throwable cause = failure;
		for (int i = 0; i < DEEPEST_CAUSE && cause != null; i++) {
			if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	private record Timers(Timer ok, Timer error, Timer timeout) {

		private static Timers of(MeterRegistry registry, Command command) {
			return new Timers(timer(registry, command, "ok"), timer(registry, command, "error"),
					timer(registry, command, "timeout"));
		}

		private Timer failed(Throwable failure) {
			return isTimeout(failure) ? this.timeout : this.error;
		}

		private static Timer timer(MeterRegistry registry, Command command, String outcome) {
			return Timer.builder("watchdog.lock.commands")
				.description("Commands to the store of locks, from sending until the answer")
				.tags("command", command.name().toLowerCase(Locale.ROOT), "outcome", outcome)
				.register(registry);
		}

	}

}
