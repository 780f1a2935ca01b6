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

package io.github.watchdoglock.simulation;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps.Hints;

/**
 * The channel of an instance: all its subscribers receive each message.
 */
final class Channel implements Hints {

	final Set<Hints> subscribers = new LinkedHashSet<>();

	private void publish(Consumer<Hints> message) {
		this.subscribers.forEach(message);
	}

	@Override
	public void granted(LockKey key, AttemptId attempt) {
		publish((hints) -> hints.granted(key, attempt));
	}

	@Override
	public void contended(LockKey key, AttemptId attempt, AttemptId by) {
		publish((hints) -> hints.contended(key, attempt, by));
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		publish((hints) -> hints.inUse(key, attempt));
	}

	@Override
	public void forced(LockKey key, AttemptId attempt) {
		publish((hints) -> hints.forced(key, attempt));
	}

	@Override
	public void forceRequested(LockKey key, AttemptId attempt, long token) {
		publish((hints) -> hints.forceRequested(key, attempt, token));
	}

	@Override
	public void resignRequested(LockKey key, AttemptId attempt) {
		publish((hints) -> hints.resignRequested(key, attempt));
	}

	@Override
	public void disconnected() {
		publish(Hints::disconnected);
	}

	@Override
	public void subscribed() {
		publish(Hints::subscribed);
	}

	@Override
	public void connected() {
		publish(Hints::connected);
	}

}
