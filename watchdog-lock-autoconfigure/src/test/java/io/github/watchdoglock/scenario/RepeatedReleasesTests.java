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

package io.github.watchdoglock.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an outage of Redis while a thousand locks are released: their keys are free
 * soon after the outage, and not only when their leases have expired.
 */
@Tag("slow")
class RepeatedReleasesTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int LOCKS = 1_000;

	/* The timeout of the default lease, which is fifteen times as long. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	/* From the time when the server listens or continues until the first answer. */
	private static final Duration CONNECTED_WITHIN = Duration.ofMillis(1_500);

	@TempDir
	static Path directory;

	private final LockNews news = new LockNews();

	private final StandStills standStills = new StandStills();

	private final RedisInstance instance = new RedisInstance(redis.port(), this.news).connected();

	@AfterEach
	void close() {
		this.instance.close();
		this.standStills.close();
		redis.stop();
		redis.start();
	}

	@Test
	void releasesAreRepeatedAfterConnectionWasKilled() throws Exception {
		List<LockHandle> handles = take();
		redis.admin().command("CLIENT", "PAUSE", "60000", "WRITE");
		CompletableFuture<Void> closed = closeAll(handles);
		redis.admin().killClients();
		redis.admin().command("CLIENT", "UNPAUSE");
		areFreeSoon(handles);
		assertThat(closed).isCompleted();
	}

	@Test
	void releasesAreRepeatedAfterRedisWasFrozen() throws Exception {
		List<LockHandle> handles = take();
		redis.process().freezeWhile(() -> {
			closeAll(handles).get(10, TimeUnit.SECONDS);
			await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		});
		areFreeSoon(handles);
	}

	@Test
	void releasesAreRepeatedAfterRedisWasRestarted() throws Exception {
		redis.stop();
		redis.start("appendonly yes", "appendfsync no", "dir " + directory);
		this.instance.connected();
		List<LockHandle> handles = take();
		redis.process().kill();
		redis.stop();
		closeAll(handles).get(10, TimeUnit.SECONDS);
		await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		redis.start("appendonly yes", "appendfsync no", "dir " + directory);
		areFreeSoon(handles);
	}

	private List<LockHandle> take() throws Exception {
		List<CompletableFuture<LockHandle>> asked = new ArrayList<>();
		for (int i = 0; i < LOCKS; i++) {
			asked.add(this.instance.engine().acquireAsync(LockRequest.of("orders", "order-" + i)));
		}
		List<LockHandle> handles = new ArrayList<>();
		for (CompletableFuture<LockHandle> handle : asked) {
			handles.add(handle.get(10, TimeUnit.SECONDS));
		}
		return handles;
	}

	private static CompletableFuture<Void> closeAll(List<LockHandle> handles) {
		return CompletableFuture.allOf(handles.stream().map(LockHandle::closeAsync).toArray(CompletableFuture[]::new));
	}

	private void areFreeSoon(List<LockHandle> handles) {
		long reachable = System.nanoTime();
		await().pollInterval(Duration.ofMillis(5))
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(() -> this.instance.engine().find(LockKey.of("none")).isEmpty());
		assertThat(this.standStills.ranSince(reachable)).isLessThan(CONNECTED_WITHIN);
		long answered = System.nanoTime();
		await().pollInterval(Duration.ofMillis(5))
			.until(() -> this.news.count("release done") == this.news.count("release failed"));
		Duration after = this.standStills.ranSince(answered);
		System.out.println("Releases made good: " + this.news.count("release done") + " in " + after.toMillis()
				+ " ms after the first answer");
		assertThat(after).isLessThan(COMMAND_TIMEOUT);
		assertThat(handles).allMatch((handle) -> this.instance.engine().find(handle.key()).isEmpty());
		assertThat(this.news.count("release done")).isPositive().isEqualTo(this.news.count("release failed"));
		assertThat(this.news.losses()).isEmpty();
	}

}
