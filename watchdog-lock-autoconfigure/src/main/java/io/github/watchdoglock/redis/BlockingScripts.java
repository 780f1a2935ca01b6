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

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Scripts by a driver without asynchronous commands, over the application's own factory.
 * A few threads wait for the answers, each for keys of its own, which keeps the commands
 * of a key in order. Not promised: that a thread is back within a call's time-out, which
 * is the driver's own; the call is.
 */
final class BlockingScripts implements ScriptExecutor {

	/* A lock command takes a round trip, so four threads carry thousands a second. */
	private static final int LANES = 4;

	private static final int LONGEST_LANE = 10_000;

	private static final long IDLE_SECONDS = 30;

	private final RedisConnectionFactory factory;

	private final ServerCheck check;

	private final List<ExecutorService> lanes;

	private final Subscriptions subscriptions;

	private volatile boolean clustered;

	/* Whether it is known if there is a connection to be had. */
	private volatile boolean decided;

	BlockingScripts(RedisConnectionFactory factory, ServerCheck check, Subscriptions subscriptions) {
		this.factory = factory;
		this.check = check;
		this.subscriptions = subscriptions;
		this.lanes = Stream.generate(BlockingScripts::lane).limit(LANES).toList();
	}

	private static ExecutorService lane() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("watchdog-lock-redis-");
		threads.setDaemon(true);
		ThreadPoolExecutor lane = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(LONGEST_LANE), threads);
		lane.allowCoreThreadTimeOut(true);
		return lane;
	}

	@Override
	public void begin() {
		this.check.begin(this::run);
	}

	@Override
	public void run(ScriptCall call) {
		this.subscriptions.begin();
		if (!this.decided) {
			call.mayConnect();
		}
		int lane = Math.floorMod(Arrays.hashCode(call.keys()[0]), LANES);
		try {
			this.lanes.get(lane).execute(() -> send(call));
		}
		catch (RejectedExecutionException ex) {
			call.notSent(ex);
		}
	}

	@Override
	public void publish(byte[] channel, byte[] message) {
		var unused = CompletableFuture.runAsync(() -> {
			try (RedisConnection connection = this.factory.getConnection()) {
				connection.publish(channel, message);
			}
		}, this.lanes.get(0));
	}

	@Override
	public boolean isClustered() {
		return this.clustered;
	}

	@Override
	public void close() {
		this.lanes.forEach(ExecutorService::shutdown);
	}

	private void send(ScriptCall call) {
		RedisConnection opened;
		try {
			opened = this.factory.getConnection();
			this.decided = true;
		}
		catch (RuntimeException ex) {
			this.decided = true;
			call.notSent(ex);
			return;
		}
		try (RedisConnection connection = opened) {
			this.clustered = connection instanceof RedisClusterConnection;
			if (call.send()) {
				call.complete(answer(call, connection));
			}
			else {
				call.notSent(new IllegalStateException("given up"));
			}
		}
		catch (RuntimeException ex) {
			call.answer().completeExceptionally(ex);
		}
		if (LockScript.VERBS.contains(call.script())) {
			this.check.begin(this::run);
		}
	}

	private @Nullable Object answer(ScriptCall call, RedisConnection connection) {
		try {
			return eval(call, connection);
		}
		catch (RuntimeException ex) {
			String error = StoreFailures.serverError(ex);
			if (error != null && !this.clustered && StoreFailures.isOfReplica(error)) {
				quit(connection);
			}
			throw ex;
		}
	}

	/* The driver's pool finds it closed, and opens another one. */
	private static void quit(RedisConnection connection) {
		try {
			connection.execute("QUIT");
		}
		catch (RuntimeException ex) {
			// Closed already.
		}
	}

	private static @Nullable Object eval(ScriptCall call, RedisConnection connection) {
		byte[][] parameters = Stream.of(call.keys(), call.arguments()).flatMap(Arrays::stream).toArray(byte[][]::new);
		int keys = call.keys().length;
		ReturnType type = call.script().answersList() ? ReturnType.MULTI : ReturnType.VALUE;
		try {
			return connection.scriptingCommands().evalSha(call.script().sha1(), type, keys, parameters);
		}
		catch (RuntimeException ex) {
			String error = StoreFailures.serverError(ex);
			if (error == null || !error.startsWith("NOSCRIPT")) {
				throw ex;
			}
		}
		call.unsend();
		if (!call.send()) {
			call.unsend();
			throw new IllegalStateException("given up");
		}
		return connection.scriptingCommands().eval(call.script().text(), type, keys, parameters);
	}

}
