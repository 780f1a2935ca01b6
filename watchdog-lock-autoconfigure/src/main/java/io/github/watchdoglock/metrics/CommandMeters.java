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
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.github.watchdoglock.listener.EngineObserver.Command;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of commands to the store, tagged by outcome. Renewals that are sent together
 * are recorded individually.
 */
final class CommandMeters {

	private static final int MAX_CAUSES = 16;

	private final EnumMeters<Command, Timer> ok;

	private final EnumMeters<Command, Timer> error;

	private final EnumMeters<Command, Timer> timeout;

	CommandMeters(MeterRegistry registry) {
		this.ok = Guard.register(registry, (target) -> timers(target, "ok"));
		this.error = Guard.register(registry, (target) -> timers(target, "error"));
		this.timeout = Guard.register(registry, (target) -> timers(target, "timeout"));
	}

	private static EnumMeters<Command, Timer> timers(MeterRegistry registry, String outcome) {
		TaggedMeters meters = new TaggedMeters(registry, Tags.of("outcome", outcome));
		return new EnumMeters<>(EnumSet.allOf(Command.class), (command) -> meters.timer("watchdog.lock.commands",
				"Commands to the store of locks, from sending until the answer", "command", command));
	}

	void ended(Command command, long took, @Nullable Throwable failure) {
		Guard.record(((failure != null) ? failed(failure) : this.ok).get(command), took);
	}

	private EnumMeters<Command, Timer> failed(Throwable failure) {
		boolean timedOut = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch((cause) -> cause instanceof TimeoutException || cause instanceof SocketTimeoutException);
		return timedOut ? this.timeout : this.error;
	}

}
