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

package io.github.watchdoglock.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps.Hints;

/**
 * The moment in which one command takes effect: what the clocks say, and the hints that
 * are to follow. Not thread-safe.
 */
final class InMemoryMoment {

	private final LockKey key;

	private final long ticks;

	private final long micros;

	private final Map<String, Hints> subscribers;

	private final List<Runnable> messages = new ArrayList<>(1);

	InMemoryMoment(LockKey key, long ticks, long micros, Map<String, Hints> subscribers) {
		this.key = key;
		this.ticks = ticks;
		this.micros = micros;
		this.subscribers = subscribers;
	}

	/* Nanoseconds of the ticker. */
	long ticks() {
		return this.ticks;
	}

	/* The wall clock in microseconds. */
	long micros() {
		return this.micros;
	}

	/*
	 * Have the instance of an attempt told once the command has taken effect; answers
	 * whether somebody hears it.
	 */
	boolean tell(AttemptId attempt, Message message) {
		Hints hints = this.subscribers.get(attempt.instance());
		if (hints != null) {
			this.messages.add(() -> message.deliver(hints, this.key, attempt));
		}
		return hints != null;
	}

	/* To be called without any lock, since hints may run commands. */
	void deliver() {
		for (Runnable message : this.messages) {
			try {
				message.run();
			}
			catch (RuntimeException ex) {
				// The command has taken effect whatever its hints do; polling makes up.
			}
		}
	}

	@FunctionalInterface
	interface Message {

		void deliver(Hints hints, LockKey key, AttemptId attempt);

	}

}
