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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.DocumentedUser;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisServer;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.KqueueProvider;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * A topology of Redis, and the way in which an application connects to it.
 */
enum Topology {

	STANDALONE {

		@Override
		Deployment deploy() {
			RedisServer server = RedisServer.started();
			return new Deployment(List.of(server), server.factory(), List.of(),
					List.of("spring.data.redis.port=" + server.port()));
		}

	},

	/* The application is configured with a replica, and reads there. */
	READ_FROM_REPLICA {

		@Override
		boolean isReachedBy(Driver driver) {
			return driver != Driver.JEDIS;
		}

		@Override
		Deployment deploy() {
			List<RedisServer> servers = withReplicas(2);
			return new Deployment(servers, servers.get(0).factory(), List.of(),
					List.of("spring.data.redis.port=" + servers.get(1).port(),
							"spring.data.redis.lettuce.read-from=replica-preferred"));
		}

	},

	SENTINEL {

		@Override
		Deployment deploy() {
			List<RedisServer> servers = withReplicas(2);
			List<RedisServer> sentinels = Stream
				.generate(() -> RedisServer.sentinel("sentinel monitor locks 127.0.0.1 " + servers.get(0).port() + " 2",
						"sentinel down-after-milliseconds locks 60000"))
				.limit(3)
				.toList();
			for (RedisServer sentinel : sentinels) {
				RedisAdmin admin = sentinel.admin();
				await().until(() -> admin.info("sentinel").contains("slaves=2,sentinels=3"));
			}
			return new Deployment(servers, servers.get(0).factory(), sentinels,
					List.of("spring.data.redis.sentinel.master=locks",
							"spring.data.redis.sentinel.nodes=" + addresses(sentinels)));
		}

	},

	/* Three primaries, each with a replica. */
	CLUSTER {

		@Override
		Deployment deploy() {
			List<RedisServer> servers = RedisClusterExtension.servers(6, "cluster-node-timeout 5000");
			RedisClusterExtension.form(servers, 3);
			LettuceConnectionFactory factory = RedisClusterExtension.factory(servers);
			return new Deployment(servers, factory, List.of(factory::destroy),
					List.of("spring.data.redis.cluster.nodes=" + addresses(servers)));
		}

	},

	/*
	 * Each side presents a certificate. The JDK terminates TLS, so that any server can be
	 * used.
	 */
	TLS {

		@Override
		Deployment deploy() {
			RedisServer server = RedisServer.started();
			Certificates certificates = Certificates.valid();
			FaultProxy relay = FaultProxy.ofTls(server.port(), certificates.server());
			return new Deployment(List.of(server), server.factory(), List.of(relay, certificates),
					Stream
						.concat(Stream.of("spring.data.redis.port=" + relay.port()), certificates.properties().stream())
						.toList());
		}

	},

	/* A socket in the file system, which Lettuce opens with a native transport. */
	SOCKET {

		@Override
		boolean isReachedBy(Driver driver) {
			return driver == Driver.LETTUCE;
		}

		@Override
		Deployment deploy() {
			Path socket = Path.of(System.getProperty("java.io.tmpdir"), "redis-" + UUID.randomUUID() + ".sock");
			RedisServer server = RedisServer.started("unixsocket " + socket);
			return new Deployment(List.of(server), server.factory(), List.of(() -> Files.deleteIfExists(socket)),
					List.of("topology.socket=" + socket));
		}

		@Override
		boolean isPossible() {
			boolean possible = EpollProvider.isAvailable() || KqueueProvider.isAvailable();
			if (!possible) {
				System.out
					.println("Tests of a socket in the file system are skipped: netty's native transport is not there");
			}
			return possible;
		}

	},

	/* A user that has exactly the permissions that docs/operations/redis.md names. */
	DOCUMENTED_USER {

		@Override
		Deployment deploy() {
			RedisServer server = RedisServer.started();
			server.admin().setUser(DocumentedUser.NAME, DocumentedUser.rules());
			return new Deployment(List.of(server), server.factory(), List.of(),
					List.of("spring.data.redis.port=" + server.port(),
							"spring.data.redis.username=" + DocumentedUser.NAME,
							"spring.data.redis.password=" + RedisAdmin.PASSWORD));
		}

	};

	abstract Deployment deploy();

	/* Whether Spring Data supports this topology with this driver. */
	boolean isReachedBy(Driver driver) {
		return true;
	}

	/* Whether this machine meets the requirements. */
	boolean isPossible() {
		return true;
	}

	/* The first server is the primary, and the others are its replicas. */
	private static List<RedisServer> withReplicas(int replicas) {
		List<RedisServer> servers = new ArrayList<>();
		RedisServer primary = RedisServer.started();
		servers.add(primary);
		IntStream.range(0, replicas)
			.forEach((i) -> servers.add(RedisServer.started("replicaof 127.0.0.1 " + primary.port())));
		primary.admin().awaitReplicas(replicas);
		return servers;
	}

	private static String addresses(List<RedisServer> servers) {
		return String.join(",", servers.stream().map(RedisServer::address).toList());
	}

}
