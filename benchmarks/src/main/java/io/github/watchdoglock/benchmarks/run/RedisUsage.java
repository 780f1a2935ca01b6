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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What a Redis has used, since it began or between two moments.
 *
 * @param cpuSeconds processor time
 * @param commands what it has run, by name; what scripts call counts too
 */
record RedisUsage(double cpuSeconds, Map<String, Command> commands) {

	RedisUsage since(RedisUsage earlier) {
		Map<String, Command> difference = new HashMap<>();
		this.commands.forEach((name, command) -> {
			Command before = earlier.commands.getOrDefault(name, Command.NONE);
			difference.put(name, new Command(command.calls() - before.calls(), command.micros() - before.micros()));
		});
		return new RedisUsage(this.cpuSeconds - earlier.cpuSeconds, difference);
	}

	long calls(Collection<String> names) {
		return names.stream().mapToLong((name) -> this.commands.getOrDefault(name, Command.NONE).calls()).sum();
	}

	long micros(Collection<String> names) {
		return names.stream().mapToLong((name) -> this.commands.getOrDefault(name, Command.NONE).micros()).sum();
	}

	/**
	 * What Redis says of a command.
	 *
	 * @param calls how often it ran
	 * @param micros how long in all
	 */
	record Command(long calls, long micros) {

		static final Command NONE = new Command(0, 0);

	}

}
