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
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandMeters}.
 */
class CommandMetersTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final CommandMeters meters = new CommandMeters(this.registry);

	@Test
	void successfulCommandIsTimedWithOutcomeOk() {
		Stream.of(Command.values()).forEach((command) -> end(command, null));
		assertThat(List.of("acquire", "renew", "release", "find", "force"))
			.allSatisfy((command) -> assertThat(count(command, "ok")).isOne());
		assertThat(timer("acquire", "ok").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
	}

	@Test
	void failedCommandIsTimedWithOutcomeError() {
		end(Command.ACQUIRE, new LockStoreException("refused", null));
		assertThat(count("acquire", "error")).isOne();
		assertThat(count("acquire", "timeout")).isZero();
		assertThat(count("acquire", "ok")).isZero();
	}

	@Test
	void commandWithoutAnswerIsTimedWithOutcomeTimeout() {
		end(Command.RELEASE, new CompletionException(new OutcomeUnknownException("no answer", new TimeoutException())));
		end(Command.RELEASE, new OutcomeUnknownException("no answer", new SocketTimeoutException()));
		assertThat(count("release", "timeout")).isEqualTo(2);
		assertThat(count("release", "error")).isZero();
	}

	private void end(Command command, @Nullable Throwable failure) {
		this.meters.ended(command, 20_000_000, failure);
	}

	private long count(String command, String outcome) {
		return timer(command, outcome).count();
	}

	private Timer timer(String command, String outcome) {
		return this.registry.get("watchdog.lock.commands").tags("command", command, "outcome", outcome).timer();
	}

}
