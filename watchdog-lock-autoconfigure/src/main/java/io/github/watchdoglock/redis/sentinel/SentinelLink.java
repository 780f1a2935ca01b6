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

package io.github.watchdoglock.redis.sentinel;

import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ListOfMapsOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.StringListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * The connection to one sentinel. It receives news of failovers, and asks for the address
 * of the primary after each of them, after each reconnect, and on request. Everything
 * runs on one thread, which never waits.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class SentinelLink {

	/*
	 * The sentinel that leads a failover announces the new primary on the second channel,
	 * all others on the first.
	 */
	private static final String[] CHANNELS = { "+switch-master", "+promoted-slave" };

	private final RedisClient client;

	private final RedisURI uri;

	private final String master;

	private final EventExecutor thread;

	private final Sentinels group;

	private final ConnectionBackOff backOff;

	private @Nullable StatefulRedisPubSubConnection<String, String> connection;

	private boolean closed;

	/**
	 * Create a link.
	 * @param client opens its connections; uses RESP3, with which a connection that
	 * listens may also send commands
	 * @param uri the address of the sentinel
	 * @param master the sentinel's name for the primary
	 * @param thread runs all other methods, and those of the group
	 * @param group receives the answers
	 */
	SentinelLink(RedisClient client, RedisURI uri, String master, EventExecutor thread, Sentinels group) {
		this.client = client;
		this.uri = uri;
		this.master = master;
		this.thread = thread;
		this.group = group;
		this.backOff = new ConnectionBackOff("the sentinel at " + this, "", null);
	}

	void connect() {
		if (this.closed) {
			return;
		}
		try {
			this.client.connectPubSubAsync(StringCodec.UTF8, this.uri)
				.whenCompleteAsync((opened, failure) -> connected(opened, failure), this.thread);
		}
		catch (Throwable ex) {
			// Errors too, or it would never be asked again.
			connected(null, ex);
		}
	}

	private void connected(@Nullable StatefulRedisPubSubConnection<String, String> opened,
			@Nullable Throwable failure) {
		if (opened == null) {
			connectLater(StoreFailures.unwrap((failure != null) ? failure : new SocketException("no connection")),
					this.backOff.nextDelay(0));
			return;
		}
		if (this.closed) {
			opened.closeAsync();
			return;
		}
		this.connection = opened;
		try {
			listen(opened);
		}
		catch (Throwable ex) {
			lose(opened, ex);
		}
	}

	private void listen(StatefulRedisPubSubConnection<String, String> opened) {
		opened.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				later(SentinelLink.this::ask);
			}

		});
		ReconnectingConnection.whenLost(opened, (reason) -> later(() -> lose(opened, reason)));
		await(opened, opened.async().subscribe(CHANNELS), (nothing) -> this.backOff.end());
		ask();
	}

	private void later(Runnable task) {
		try {
			this.thread.execute(task);
		}
		catch (RejectedExecutionException ex) {
			// Closed: no news is needed any more.
		}
	}

	/*
	 * The epoch is requested first: a change between the two requests is announced, and
	 * both are sent again.
	 */
	void ask() {
		StatefulRedisPubSubConnection<String, String> connection = this.connection;
		if (connection == null) {
			return;
		}
		CompletionStage<Map<String, String>> facts = connection.async()
			.dispatch(CommandType.SENTINEL, new MapOutput<>(StringCodec.UTF8), arguments("MASTER").add(this.master));
		CompletionStage<List<String>> address = connection.async()
			.dispatch(CommandType.SENTINEL, new StringListOutput<>(StringCodec.UTF8),
					arguments("GET-MASTER-ADDR-BY-NAME").add(this.master));
		await(connection, facts.thenCombine(address, PrimaryInfo::of), (primary) -> this.group.answered(this, primary));
	}

	private static CommandArgs<String, String> arguments(String word) {
		return new CommandArgs<>(StringCodec.UTF8).add(word);
	}

	/*
	 * An error that a sentinel returns is an answer; a timeout, or any other failure, is
	 * not.
	 */
	private <T> void await(StatefulRedisPubSubConnection<String, String> connection, CompletionStage<T> reply,
			Consumer<T> action) {
		reply.whenCompleteAsync((answer, failure) -> {
			if (failure == null) {
				action.accept(answer);
			}
			else if (String.valueOf(StoreFailures.serverError(failure)).contains("No such master")) {
				askForOthers(connection);
			}
			else {
				lose(connection, StoreFailures.unwrap(failure));
			}
		}, this.thread);
	}

	private void askForOthers(StatefulRedisPubSubConnection<String, String> connection) {
		connection.async()
			.dispatch(CommandType.SENTINEL, new ListOfMapsOutput<>(StringCodec.UTF8), arguments("MASTERS"))
			.whenCompleteAsync(
					(masters, failure) -> this.group.unknown(this, (masters != null)
							? masters.stream().map((one) -> String.valueOf(one.get("name"))).toList() : List.of()),
					this.thread);
	}

	private void lose(StatefulRedisPubSubConnection<String, String> suspect, Throwable reason) {
		if (this.connection == suspect) {
			this.connection = null;
			connectLater(reason, this.backOff.delayAfterLoss());
			suspect.closeAsync();
		}
	}

	private void connectLater(Throwable reason, long delay) {
		if (!this.closed) {
			this.thread.schedule(this::connect, delay, TimeUnit.MILLISECONDS);
			this.backOff.report(reason);
			this.group.unreachable(this, reason);
		}
	}

	/* Callable on any thread. The client closes the connection. */
	void close() {
		later(() -> {
			this.closed = true;
			this.connection = null;
		});
	}

	@Override
	public String toString() {
		return this.uri.getHost() + ":" + this.uri.getPort();
	}

	/**
	 * The answer of a sentinel about the primary.
	 *
	 * @param address the address of the primary; null if it is not known at the moment
	 * @param epoch the epoch of the failover that made it the primary
	 */
	record PrimaryInfo(@Nullable RedisNode address, long epoch) {

		private static PrimaryInfo of(Map<String, String> facts, @Nullable List<String> address) {
			return new PrimaryInfo(
					(address != null && address.size() == 2)
							? new RedisNode(address.get(0), Integer.parseInt(address.get(1))) : null,
					Long.parseLong(facts.getOrDefault("config-epoch", "0")));
		}

	}

}
