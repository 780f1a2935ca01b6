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

package io.github.watchdoglock.topology.suite;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.redis.RedisAdmin;

import static org.awaitility.Awaitility.await;

/**
 * Makes a cluster of servers.
 */
final class Cluster {

	private static final int SLOTS = 16_384;

	private Cluster() {
	}

	/* The first ones are primaries, and each of the others a replica of one of them. */
	static void form(List<Server> servers, int primaries) {
		Server first = servers.get(0);
		for (int i = 0; i < primaries; i++) {
			servers.get(i).admin().command("CLUSTER", addSlots(i * SLOTS / primaries, (i + 1) * SLOTS / primaries));
			servers.get(i).admin().command("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
		}
		servers.stream()
			.skip(1)
			.forEach((server) -> first.admin().command("CLUSTER", "MEET", "127.0.0.1", "" + server.port()));
		servers.forEach((server) -> await().until(() -> links(server) == servers.size() - 1));
		for (int i = primaries; i < servers.size(); i++) {
			servers.get(i)
				.admin()
				.command("CLUSTER", "REPLICATE", servers.get(i % primaries).admin().text("CLUSTER", "MYID"));
		}
		servers.forEach((server) -> await().until(() -> isComplete(server.admin(), servers.size() - primaries)));
	}

	private static String[] addSlots(int from, int to) {
		return Stream.concat(Stream.of("ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
			.toArray(String[]::new);
	}

	/* To other nodes, in both directions. */
	private static long links(Server server) {
		return server.admin()
			.text("CLUSTER", "NODES")
			.lines()
			.filter((line) -> line.contains(" connected") && !line.contains("myself") && !line.contains("handshake"))
			.count();
	}

	private static boolean isComplete(RedisAdmin admin, int replicas) {
		return admin.text("CLUSTER", "INFO").contains("cluster_state:ok")
				&& admin.text("CLUSTER", "NODES").lines().filter((line) -> line.contains("slave")).count() == replicas
				&& (replicas == 0 || admin.info("replication").matches("(?s).*(master_link_status=up|state=online).*"));
	}

}
