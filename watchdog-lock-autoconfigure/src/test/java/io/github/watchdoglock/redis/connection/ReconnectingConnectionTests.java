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

package io.github.watchdoglock.redis.connection;

import java.io.StringReader;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.github.watchdoglock.support.Concurrently;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class ReconnectingConnectionTests {

	private static final int USES = 200;

	@AutoClose("shutdownNow")
	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	/* As an application that ends at the first error. */
	@Test
	void failedConnectionIsLoggedWhenItsCallbackCloses(CapturedOutput output) {
		ReconnectingConnection<AutoCloseable> connector = new ReconnectingConnection<>(
				new ConnectionBackOff("a Redis of this test", "", null), () -> {
					throw new ConnectException("nobody is there");
				}, () -> {
				}, () -> {
				}, this.thread);
		connector.use((connection) -> {
		}, (reason) -> connector.close());
		await().untilAsserted(() -> assertThat(output).contains(
				"No connection to a Redis of this test: nobody is there. The connection is retried every second."));
	}

	@Test
	void callbackRunsForEachConnectionAndItsErrorIsIgnored() {
		List<StringReader> inUse = new CopyOnWriteArrayList<>();
		List<ReconnectingConnection<StringReader>> own = new CopyOnWriteArrayList<>();
		ReconnectingConnection<StringReader> connector = new ReconnectingConnection<>(
				new ConnectionBackOff("a Redis of this test", "", null), () -> new StringReader(""), () -> {
					own.get(0).useIfAny(inUse::add);
					throw new IllegalStateException("of the test");
				}, () -> {
				}, this.thread);
		own.add(connector);
		connector.begin();
		await().untilAsserted(() -> assertThat(inUse).hasSize(1));
		connector.reopen(new SocketException("lost"));
		await().untilAsserted(() -> assertThat(inUse).hasSize(2).doesNotHaveDuplicates());
		List<StringReader> used = new ArrayList<>();
		connector.useIfAny(used::add);
		assertThat(used).containsExactly(inUse.get(1));
		connector.close();
	}

	@Test
	void connectionLostBeforeUseIsOpenedAgain() {
		List<StringReader> opened = new CopyOnWriteArrayList<>();
		List<ReconnectingConnection<StringReader>> own = new CopyOnWriteArrayList<>();
		ReconnectingConnection<StringReader> connector = connector(() -> {
			StringReader connection = new StringReader("");
			opened.add(connection);
			if (opened.size() == 1) {
				own.get(0).reopen(connection, new SocketException("lost"));
			}
			return connection;
		});
		own.add(connector);
		List<Object> used = new CopyOnWriteArrayList<>();
		connector.use(used::add, used::add);
		await().untilAsserted(() -> assertThat(opened).hasSize(2));
		await().untilAsserted(() -> {
			connector.useIfAny(used::add);
			assertThat(used).contains(opened.get(1)).doesNotContain(opened.get(0));
		});
		connector.close();
	}

	@Test
	void usesOfThreadKeepOrderWhileConnectionOpens() throws Exception {
		for (int round = 0; round < 200; round++) {
			CountDownLatch open = new CountDownLatch(1);
			ReconnectingConnection<StringReader> connector = connector(() -> {
				open.await();
				return new StringReader("");
			});
			List<Queue<Integer>> used = List.of(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
			Concurrently.run(2, (caller) -> {
				for (int i = 0; i < USES; i++) {
					int use = i;
					connector.use((connection) -> used.get(caller).add(use), (reason) -> used.get(caller).add(-1));
					if (i == USES / 2) {
						open.countDown();
					}
				}
				return null;
			});
			List<Integer> all = IntStream.range(0, USES).boxed().toList();
			await().untilAsserted(
					() -> assertThat(used).allSatisfy((uses) -> assertThat(uses).containsExactlyElementsOf(all)));
			connector.close();
		}
	}

	@Test
	void pendingUsesFailWithFirstFailedAttempt() {
		ReconnectingConnection<StringReader> connector = connector(() -> {
			throw new ConnectException("no server");
		});
		List<Throwable> reasons = new CopyOnWriteArrayList<>();
		connector.use((connection) -> {
		}, reasons::add);
		await().untilAsserted(() -> assertThat(reasons).hasSize(1));
		connector.use((connection) -> {
		}, reasons::add);
		assertThat(reasons).hasSize(2).allMatch(ConnectException.class::isInstance);
		connector.close();
		connector.use((connection) -> {
		}, reasons::add);
		assertThat(reasons.get(2)).hasMessage("closed");
	}

	@Test
	void finishedUseDoesNotFailWhenConnectionIsLost() {
		List<ReconnectingConnection<StringReader>> own = new CopyOnWriteArrayList<>();
		ReconnectingConnection<StringReader> connector = connector(() -> new StringReader(""));
		own.add(connector);
		List<String> results = new CopyOnWriteArrayList<>();
		connector.use((connection) -> {
			results.add("run");
			own.get(0).reopen(connection, new SocketException("lost"));
		}, (reason) -> results.add("failed"));
		await().untilAsserted(() -> assertThat(results).isNotEmpty());
		AtomicBoolean open = new AtomicBoolean();
		await().until(() -> {
			connector.useIfAny((connection) -> open.set(true));
			return open.get();
		});
		assertThat(results).containsExactly("run");
		connector.close();
	}

	private ReconnectingConnection<StringReader> connector(Callable<StringReader> opening) {
		return new ReconnectingConnection<>(new ConnectionBackOff("a Redis of this test", "", null), opening, () -> {
		}, () -> {
		}, this.thread);
	}

}
