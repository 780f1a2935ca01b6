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

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * The route to the primary that the sentinels name at the moment. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
public final class PrimaryRoute implements AutoCloseable {

	private static final Duration TIMEOUT = ConnectionBackOff.CONNECT_TIMEOUT;

	private final RedisClient client;

	private final RedisClient sentinelClient;

	private final Sentinels sentinels;

	private final RedisURI uri;

	/**
	 * Create a route.
	 * @param client opens connections to the primary
	 * @param sentinelClient opens connections to the sentinels; uses RESP3
	 * @param uri all settings of a connection to the primary except its address, and the
	 * sentinels
	 * @param thread runs what the sentinels cause
	 * @param moved runs on that thread each time that the primary has another address,
	 * and periodically
	 */
	public PrimaryRoute(RedisClient client, RedisClient sentinelClient, RedisURI uri, EventExecutor thread,
			Runnable moved) {
		this.client = client;
		this.sentinelClient = sentinelClient;
		this.sentinels = new Sentinels(uri.getSentinels(), uri.getSentinelMasterId(), sentinelClient, thread, moved);
		this.uri = uri;
	}

	/**
	 * Connect to the current primary. Blocks, but stops waiting for a server when the
	 * sentinels name another primary.
	 * @param <C> the kind of connection
	 * @param <R> the type of the result
	 * @param connecting begins to connect
	 * @param connected receives the connection and its address
	 * @return what that has returned
	 */
	public <C extends StatefulConnection<?, ?>, R> R connect(
			BiFunction<RedisClient, RedisURI, ConnectionFuture<C>> connecting, BiFunction<C, RedisNode, R> connected)
			throws InterruptedException, ExecutionException {
		while (true) {
			Sentinels.Chosen chosen = chosen();
			CompletableFuture<C> opening = connecting.apply(this.client, uri(chosen.address())).toCompletableFuture();
			C opened = null;
			try {
				CompletableFuture.anyOf(opening, chosen.changed()).get(2 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
				if (!chosen.changed().isDone()) {
					opened = opening.join();
					return connected.apply(opened, chosen.address());
				}
			}
			catch (ExecutionException | CompletionException ex) {
				this.sentinels.askAnew();
				if (!chosen.changed().isDone()) {
					throw unreachable(chosen.address(),
							StoreFailures.unwrap((ex.getCause() != null) ? ex.getCause() : ex));
				}
			}
			catch (TimeoutException ex) {
				throw unreachable(chosen.address(), ex);
			}
			finally {
				if (opened == null) {
					giveUp(opening);
				}
			}
		}
	}

	private Sentinels.Chosen chosen() throws InterruptedException, ExecutionException {
		try {
			return this.sentinels.chosen().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new RedisConnectionException(this.sentinels.problem());
		}
	}

	private RedisURI uri(RedisNode address) {
		RedisURI uri = new RedisURI(Objects.requireNonNull(address.getHost()),
				Objects.requireNonNull(address.getPort()), this.uri.getTimeout());
		uri.applySsl(this.uri);
		uri.applyAuthentication(this.uri);
		uri.setClientName(this.uri.getClientName());
		uri.setDatabase(this.uri.getDatabase());
		return uri;
	}

	private static void giveUp(CompletableFuture<? extends StatefulConnection<?, ?>> opening) {
		opening.whenComplete((late, failure) -> {
			if (late != null) {
				late.closeAsync();
			}
		});
	}

	/* An error that the server itself reports needs no advice about networks. */
	private RuntimeException unreachable(RedisNode address, Throwable cause) {
		if (StoreFailures.serverError(cause) != null || cause instanceof CancellationException) {
			return new RedisConnectionException("Unable to connect to " + address, cause);
		}
		return new RedisConnectionException("the sentinels at " + this.sentinels + " name " + address
				+ " as the primary, which cannot be reached from here: " + StoreFailures.describe(cause)
				+ ". Unless there is a failover at this moment, configure an address that can be reached from here "
				+ "(replica-announce-ip and replica-announce-port of each Redis, sentinel announce-ip; or host names: "
				+ "sentinel resolve-hostnames and announce-hostnames)");
	}

	/**
	 * Return whether an address is that of the current primary, as far as that is known.
	 * @param address the address
	 * @return false if the sentinels name another one
	 */
	public boolean leadsTo(@Nullable RedisNode address) {
		CompletableFuture<Sentinels.Chosen> chosen = this.sentinels.chosen();
		return !chosen.isDone() || chosen.join().address().equals(address);
	}

	@Override
	public void close() {
		this.sentinels.close();
		this.sentinelClient.shutdown(0, ConnectionBackOff.SHUTDOWN_TIME.toMillis(), TimeUnit.MILLISECONDS);
	}

}
