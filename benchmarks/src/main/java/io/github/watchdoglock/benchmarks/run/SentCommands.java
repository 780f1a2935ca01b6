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

package io.github.watchdoglock.benchmarks.run;

import java.util.Set;

import io.github.watchdoglock.benchmarks.lock.Contender;

/**
 * The commands that a contender has sent since this was created, with their time in
 * Redis. The server counts a {@code SET} of a script together with those of clients, so
 * each script is assumed to call it once. For uncontended locks this is exact: the script
 * that acquires a lock does, and the one that releases it is not sent if the client sends
 * {@code SET}.
 */
final class SentCommands {

	private static final Set<String> SET = Set.of("set");

	private final Redis redis;

	private final Contender contender;

	private final long calls;

	private final long micros;

	private final long sets;

	private final long setMicros;

	SentCommands(Redis redis, Contender contender) {
		this.redis = redis;
		this.contender = contender;
		this.calls = redis.calls(contender.commands());
		this.micros = redis.micros(contender.commands());
		this.sets = redis.calls(SET);
		this.setMicros = redis.micros(SET);
	}

	double calls() {
		return scripts() + sentSets();
	}

	double micros() {
		double micros = this.redis.micros(this.contender.commands()) - this.micros;
		long sets = this.redis.calls(SET) - this.sets;
		if (sets > 0) {
			micros += (this.redis.micros(SET) - this.setMicros) * (double) sentSets() / sets;
		}
		return micros;
	}

	private long scripts() {
		return this.redis.calls(this.contender.commands()) - this.calls;
	}

	private long sentSets() {
		return this.contender.sendsSet() ? Math.max(0, this.redis.calls(SET) - this.sets - scripts()) : 0;
	}

}
