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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Times the commands of one kind to a store, by how they end.
 */
final class CommandTimers {

	private static final int DEEPEST_CAUSE = 16;

	private final Timer ok;

	private final Timer error;

	private final Timer timeout;

	CommandTimers(MeterRegistry registry, String command) {
		this.ok = timer(registry, command, "ok");
		this.error = timer(registry, command, "error");
		this.timeout = timer(registry, command, "timeout");
	}

	private static Timer timer(MeterRegistry registry, String command, String outcome) {
		return Timer.builder("watchdog.lock.commands")
			.description("Commands to the store of locks, from sending until the answer")
			.tags("command", command, "outcome", outcome)
			.register(registry);
	}

	/* The answer to a command, timed. */
	<T> CompletionStage<T> time(Supplier<CompletionStage<T>> command) {
		long sent = System.nanoTime();
		try {
			return time(sent, command.get());
		}
		catch (RuntimeException | Error ex) {
			record(sent, ex);
			throw ex;
		}
	}

	<T> CompletionStage<T> time(long sent, CompletionStage<T> answer) {
		return answer.whenComplete((value, failure) -> record(sent, failure));
	}

	void record(long sent, @Nullable Throwable failure) {
		Timer timer = (failure != null) ? failed(failure) : this.ok;
		Guard.run(() -> timer.record(System.nanoTime() - sent, TimeUnit.NANOSECONDS));
	}

	private Timer failed(Throwable failure) {
		return isTimeout(failure) ? this.timeout : this.error;
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

}
