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

package io.github.watchdoglock.leader;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.redis.RedisLockSettings;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * An instance in a JVM of its own that is a candidate for a role and records when it
 * leads. It writes each moment to a file if it led before and after that moment, and
 * prints the beginning and end of terms. All moments are values of
 * {@link System#nanoTime()}, which processes of a machine share.
 */
public final class LeaderProcess implements RoleLocks {

	/** The role. */
	static final String ROLE = "reports";

	/** The lease of its terms. */
	static final Duration LEASE = Duration.ofSeconds(2);

	private static final int WARM_TERMS = 50;

	private final LockEngine engine;

	private final LeaderElections elections;

	private final OutputStream moments;

	private final PrintStream output;

	private LeaderProcess(int port, String file, PrintStream output) throws IOException {
		this.moments = new FileOutputStream(file);
		this.output = output;
		this.engine = engine(port);
		this.elections = new LeaderElections(this,
				(role) -> RoleSettings.of(LEASE, Duration.ofSeconds(1), Duration.ofSeconds(30)));
		this.engine.setRoleObserver(this.elections.observer());
		this.elections.addListener(new LeaderListener() {

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				if (term.role().equals(ROLE)) {
					say("revoked", term, reason.name());
				}
			}

		});
	}

	/** Also used to request a resignation from outside. */
	static LockEngine engine(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		RedisLocks locks = new RedisLocks(factory, new RedisLockSettings("leaders", "leaders", Duration.ofMinutes(2),
				true, Duration.ofSeconds(1), true, true));
		locks.connect();
		return new LockEngine(new EngineSettings(() -> "leaders", LEASE, Duration.ofSeconds(5), Duration.ofSeconds(1),
				new LeaseLimits(Duration.ofMillis(200), Duration.ofMillis(200), null), null, null, OnLoss.REPORT, true),
				locks.store(), locks.inspector(), locks.wakeUps());
	}

	@Override
	public CompletableFuture<LockHandle> requestLock(LockRequest request) {
		return this.engine.acquireAsync(request);
	}

	@Override
	public void stopRenewing(LockHandle handle) {
		this.engine.lose(handle.key(), handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
	}

	private void work(LeaderTerm term) throws IOException {
		say("begun", term, "");
		try {
			while (!Thread.currentThread().isInterrupted()) {
				boolean leads = term.isLeading();
				long now = System.nanoTime();
				if (leads && term.isLeading()) {
					this.moments.write((term.number() + " " + now + "\n").getBytes(StandardCharsets.UTF_8));
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
		}
		finally {
			say("ended", term, "");
		}
	}

	private void say(String what, LeaderTerm term, String more) {
		this.output.println((what + " " + term.number() + " " + System.nanoTime() + " " + more).strip());
	}

	/* The nanoseconds of each of many calls in an instance that leads. */
	private String price() {
		var leadership = this.elections.of(ROLE);
		LeaderTerm term = leadership.term().orElseThrow();
		int calls = 10_000;
		int led = 0;
		for (int warming = 0; warming < 20 * calls; warming++) {
			led += (leadership.isLeader() && term.isLeading()) ? 1 : 0;
		}
		long start = System.nanoTime();
		for (int i = 0; i < calls; i++) {
			led += leadership.isLeader() ? 1 : 0;
		}
		long middle = System.nanoTime();
		for (int i = 0; i < calls; i++) {
			led += term.isLeading() ? 1 : 0;
		}
		long end = System.nanoTime();
		return "price " + (middle - start) / calls + " " + (end - middle) / calls + " " + led;
	}

	/*
	 * A new JVM has to load the classes that a term needs, and this time is not measured.
	 */
	private void warmUp() throws InterruptedException {
		String role = "warm-" + ProcessHandle.current().pid();
		Semaphore begun = new Semaphore(0);
		var leadership = this.elections.join(role, (term) -> {
			begun.release();
			new CountDownLatch(1).await();
		});
		for (int i = 0; i < WARM_TERMS; i++) {
			begun.acquire();
			leadership.resign();
		}
		leadership.close();
	}

	/**
	 * Run the instance.
	 * @param args port, file
	 * @throws Exception if it can't be started
	 */
	public static void main(String[] args) throws Exception {
		PrintStream output = System.out;
		System.setOut(System.err);
		((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
		LeaderProcess instance = new LeaderProcess(Integer.parseInt(args[0]), args[1], output);
		instance.elections.start();
		instance.warmUp();
		instance.elections.join(ROLE, instance::work);
		output.println("standing 0 " + System.nanoTime());
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = commands.readLine(); line != null; line = commands.readLine()) {
			switch (line) {
				case "resign" -> instance.elections.of(ROLE).resign();
				case "price" -> output.println(instance.price());
				default -> {
					instance.elections.stop().toCompletableFuture().get(60, TimeUnit.SECONDS);
					instance.engine.stop().toCompletableFuture().get(60, TimeUnit.SECONDS);
					instance.engine.close();
					output.println("stopped 0 " + System.nanoTime());
					Runtime.getRuntime().halt(0);
				}
			}
		}
		Runtime.getRuntime().halt(0);
	}

}
