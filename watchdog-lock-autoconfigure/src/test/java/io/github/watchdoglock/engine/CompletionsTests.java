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

package io.github.watchdoglock.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that all futures are completed, whatever users do in dependent stages.
 */
@Tag("slow")
class CompletionsTests extends RunningEngine {

	private static final String NAME = "watchdog-lock-completions";

	/* Threads of engines of other tests, which need not be closed. */
	private final Set<Thread> others = named().collect(Collectors.toSet());

	private final Logged logged = new Logged("io.github.watchdoglock.time.ThreadPool");

	@AfterEach
	void close() {
		this.logged.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 8, 500 })
	void continuationsThatWaitForFuturesAllCompleteWithOneWarning(int number) throws Exception {
		CountDownLatch all = new CountDownLatch(Math.min(number, 8));
		List<LockHandle> held = new ArrayList<>();
		List<CompletableFuture<Void>> futures = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			held.add(this.engine.acquireAsync(LockRequest.of("outer", "" + i)).get(10, TimeUnit.SECONDS));
			LockRequest inner = LockRequest.of("inner", "" + i);
			futures.add(this.engine.acquireAsync(LockRequest.of("outer", "" + i)).thenAccept((handle) -> {
				all.countDown();
				SlowWork.until(all);
				this.engine.acquireAsync(inner).join().close();
				handle.close();
			}));
		}
		held.forEach(LockHandle::close);
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		await().until(() -> !this.logged.lines().isEmpty());
		assertThat(this.logged.lines()).singleElement()
			.asString()
			.startsWith("WARN on " + NAME)
			.contains("All 8 threads", "thenApplyAsync");
	}

	@Test
	void continuationsThatReadFromSocketsDoNotDelayOtherFutures() throws Exception {
		InetAddress here = InetAddress.getLoopbackAddress();
		List<Socket> sockets = new CopyOnWriteArrayList<>();
		List<CompletableFuture<Void>> reading = new ArrayList<>();
		try (ServerSocket silent = new ServerSocket(0, 50, here)) {
			for (int i = 0; i < 8; i++) {
				LockRequest request = LockRequest.of("orders", "" + i);
				// The lock is held meanwhile, so that this thread does not find the
				// future complete.
				LockHandle held = this.engine.acquireAsync(request).get(10, TimeUnit.SECONDS);
				reading.add(this.engine.acquireAsync(request).thenAccept((handle) -> {
					try (Socket socket = new Socket(here, silent.getLocalPort())) {
						sockets.add(socket);
						assertThat(socket.getInputStream().read()).isNegative();
					}
					catch (IOException ex) {
						// The test closes the socket.
					}
				}));
				held.close();
			}
			await().until(() -> sockets.size() == 8);
			await().until(() -> threads().count() == 8
					&& threads().allMatch((thread) -> thread.getState() == Thread.State.RUNNABLE));
			this.engine.acquireAsync(LockRequest.of("orders", "9")).get(10, TimeUnit.SECONDS).close();
			assertThat(reading).noneMatch(CompletableFuture::isDone);
			for (Socket socket : sockets) {
				socket.close();
			}
			CompletableFuture.allOf(reading.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		}
	}

	@Test
	void tenThousandShortContinuationsNeedAtMostEightThreads() throws Exception {
		AtomicInteger run = new AtomicInteger();
		List<CompletableFuture<Void>> futures = new ArrayList<>();
		LockHandle held = this.engine.acquireAsync(LockRequest.of("orders")).get(10, TimeUnit.SECONDS);
		for (int i = 0; i < 10_000; i++) {
			futures.add(this.engine.acquireAsync(LockRequest.of("orders")).thenAccept((handle) -> {
				run.incrementAndGet();
				handle.close();
			}));
		}
		held.close();
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		assertThat(run).hasValue(10_000);
		assertThat(threads()).hasSizeBetween(1, 8);
	}

	@Test
	void lossFuturesCompleteAfterCloseWhileAllThreadsWait() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		List<CompletableFuture<Void>> futures = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			boolean last = i == 19;
			futures.add(this.engine.acquireAsync(LockRequest.of("orders", "" + i))
				.get(10, TimeUnit.SECONDS)
				.whenLost()
				.thenAccept((loss) -> {
					if (last) {
						blocked.countDown();
					}
					SlowWork.until(blocked);
				})
				.toCompletableFuture());
		}
		this.engine.close();
		CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
		await().until(() -> threads().findAny().isEmpty());
	}

	/* The threads of this test's engine. */
	private Stream<Thread> threads() {
		return named().filter((thread) -> !this.others.contains(thread));
	}

	private static Stream<Thread> named() {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(NAME));
	}

}
