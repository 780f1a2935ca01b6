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

package io.github.watchdoglock.redis;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import io.github.watchdoglock.redis.connection.StoreFailures;

/**
 * The permissions that the user of a connection lacks, according to the errors of the
 * server, and the command that grants them.
 */
final class MissingPermissions {

	private static final Set<String> FOR_WAKE_UPS = Set.of("publish", "subscribe");

	private final String prefix;

	private final Collection<String> commands = new TreeSet<>();

	private final Collection<String> patterns = new LinkedHashSet<>();

	/* Whether locks fail, and not only their messages. */
	private boolean serious;

	MissingPermissions(String prefix) {
		this.prefix = prefix;
	}

	/* The wording of each error depends on the version of Redis. */
	void add(String command, String refusal) {
		boolean wakeUps = FOR_WAKE_UPS.contains(command.toLowerCase(Locale.ROOT));
		this.serious |= !wakeUps;
		if (refusal.contains("run th")) {
			this.commands.add(command.toLowerCase(Locale.ROOT));
		}
		else {
			this.patterns.add((wakeUps ? "&" : "~") + this.prefix + ":*");
		}
	}

	/* If no script can run, it is not known which further commands are missing. */
	void addAll() {
		if (this.patterns.isEmpty()) {
			this.commands.addAll(List.of(StoreFailures.PERMISSIONS.substring(1).split(" \\+")));
		}
	}

	boolean isEmpty() {
		return this.commands.isEmpty() && this.patterns.isEmpty();
	}

	@Override
	public String toString() {
		StringBuilder grants = new StringBuilder();
		this.commands.forEach((command) -> grants.append(" +").append(command));
		this.patterns.forEach((pattern) -> grants.append(' ').append(pattern));
		return (this.serious ? "locks fail" : "waiting instances poll, and hand-offs take up to a poll interval")
				+ ", because the user of the Redis connection lacks permissions. Grant them with ACL SETUSER <user>"
				+ grants;
	}

}
