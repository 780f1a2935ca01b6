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
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks in a cluster of three primaries.
 */
@Tag("slow")
class RedisClusterTests {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	private final LeaseStore store = cluster.locks().store();

	/*
	 * Nodes send a message to each other once: if a link of their bus is down, the
	 * message is lost.
	 */
	@Test
	void messagesReachAnInstanceFromEveryNode() {
		AttemptId waiting = new AttemptId("waiting", 1);
		HintRecorder hints = new HintRecorder();
		cluster.locks().wakeUps().subscribe(waiting.instance(), hints);
		for (int node : cluster.ports()) {
			await().atMost(Duration.ofSeconds(30)).until(() -> handedOverBy(node, waiting, hints));
		}
	}

	@Test
	void deletedLocksAreLostWhenConnectionToNodeIsReopened() throws Exception {
		try (RedisInstance instance = new RedisInstance(cluster.factory()).connected()) {
			List<LockHandle> handles = instance.acquire("orders", 20, Duration.ofMinutes(1));
			cluster.ports().forEach((port) -> {
				cluster.at(port).admin().command("FLUSHALL");
				cluster.at(port).admin().killClients();
			});
			await().atMost(Duration.ofSeconds(8))
				.untilAsserted(() -> assertThat(handles).noneMatch(LockHandle::isHeld));
			handles.forEach(LockHandle::close);
		}
	}

	/* In a cluster, Lettuce itself connects and subscribes again. */
	@Test
	void instanceIsNotifiedOfSubscriptionAfterLettuceHasReconnected() {
		// A subscription that begins while the connection is being opened may be made
		// twice.
		HintRecorder before = new HintRecorder();
		cluster.locks().wakeUps().subscribe("connected", before);
		await().until(() -> before.subscriptions() > 0);
		HintRecorder hints = new HintRecorder();
		cluster.locks().wakeUps().subscribe("reconnected", hints);
		await().untilAsserted(() -> assertThat(hints.subscriptions()).isOne());
		cluster.ports().forEach((node) -> cluster.at(node).admin().raw("CLIENT KILL TYPE pubsub"));
		await().untilAsserted(() -> assertThat(hints.subscriptions()).isGreaterThan(1));
	}

	private boolean handedOverBy(int node, AttemptId waiting, HintRecorder hints) {
		StoreCommands held = Stream.generate(StoreCommands::fresh)
			.filter((commands) -> cluster.node(commands.key()) == node)
			.findFirst()
			.orElseThrow();
		StoreCommands next = new StoreCommands(held.key(), waiting, held.timeout());
		held.acquire(this.store);
		next.acquire(this.store);
		held.release(this.store);
		assertThat(next.acquire(this.store)).isInstanceOf(Granted.class);
		String hint = "granted " + waiting + " " + held.key();
		try {
			await().atMost(Duration.ofSeconds(1)).until(() -> hints.heard(hint));
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

}
