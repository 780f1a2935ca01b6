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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What a poll costs Redis of its own time while many instances wait. Run by name only;
 * prints the median of rounds.
 */
class PollBenchmark {

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	private static final int ROUNDS = 15;

	private static final int POLLS = 4_000;

	private static final Pattern COST = Pattern.compile("cmdstat_evalsha=calls=(\\d+),usec=(\\d+)");

	private final RedisAdmin admin = new RedisAdmin(server.factory());

	@Test
	void pollAmongMany() {
		try (RedisLocks locks = new RedisLocks(server.factory(), RedisLockSettings.defaults())) {
			for (int waiting : new int[] { 1, 20, 200 }) {
				double[] micros = new double[ROUNDS];
				List<AcquireCommand> polls = polls(locks.store(), waiting);
				for (int round = 0; round < ROUNDS; round++) {
					micros[round] = round(locks.store(), polls);
				}
				Arrays.sort(micros);
				System.out.printf("a poll at %d waiting instances: %.1f us (%.1f to %.1f)%n", waiting,
						micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1]);
			}
		}
	}

	/* They have their places already, and keep them. */
	private static List<AcquireCommand> polls(LeaseStore store, int waiting) {
		StoreCommands held = StoreCommands.fresh(Duration.ofSeconds(10));
		StoreCommands.join(store.acquire(new AcquireCommand(held.key(), held.attempt(), "holder", Duration.ofHours(1),
				StoreCommands.POLL, held.timeout())));
		List<AcquireCommand> polls = new ArrayList<>();
		for (int i = 0; i < waiting; i++) {
			polls.add(new AcquireCommand(held.key(), new AttemptId(held.rival().attempt().instance(), 1), "waiting",
					StoreCommands.LEASE, Duration.ofHours(1), held.timeout()));
		}
		polls.forEach((poll) -> StoreCommands.join(store.acquire(poll)));
		return polls;
	}

	private double round(LeaseStore store, List<AcquireCommand> polls) {
		this.admin.command("CONFIG", "RESETSTAT");
		for (int sent = 0; sent < POLLS; sent += polls.size()) {
			CompletableFuture
				.allOf(polls.stream()
					.map((poll) -> store.acquire(poll).toCompletableFuture())
					.toArray(CompletableFuture[]::new))
				.join();
		}
		Matcher cost = COST.matcher(this.admin.info("commandstats"));
		if (!cost.find()) {
			throw new IllegalStateException("Redis has counted nothing");
		}
		return Double.parseDouble(cost.group(2)) / Long.parseLong(cost.group(1));
	}

}
