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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.netty.util.concurrent.EventExecutor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * All sentinels of a configuration, whose answers determine the address of the primary.
 * It runs a callback when that address changes. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Sentinels implements AutoCloseable {

	/*
	 * The interval of requests without news. It also detects a link that does not receive
	 * anything any more.
	 */
	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/* How long the other sentinels are waited for when the first one has answered. */
	private static final Duration MAJORITY_WAIT = Duration.ofMillis(250);

	private static final Log logger = LogFactory.getLog(Sentinels.class);

	private final String master;

	private final EventExecutor thread;

	private final Runnable moved;

	private final List<SentinelLink> links;

	/* Used by the thread only; the fields below are changed by the thread only. */
	private final PrimaryChoice choice;

	private final Map<String, String> problems = new ConcurrentSkipListMap<>();

	private final Set<String> others = new ConcurrentSkipListSet<>();

	private volatile CompletableFuture<Chosen> chosen = new CompletableFuture<>();

	private boolean mayWait = true;

	/**
	 * Create a group.
	 * @param uris the addresses of the sentinels
	 * @param master their name for the primary
	 * @param client opens connections to them; uses RESP3
	 * @param thread runs all of this
	 * @param moved runs on that thread each time that the primary has another address,
	 * and periodically
	 */
	Sentinels(List<RedisURI> uris, String master, RedisClient client, EventExecutor thread, Runnable moved) {
		this.master = master;
		this.thread = thread;
		this.moved = moved;
		this.choice = new PrimaryChoice(uris.size());
		this.links = uris.stream().map((uri) -> new SentinelLink(client, uri, master, thread, this)).toList();
		this.thread.execute(() -> this.links.forEach(SentinelLink::connect));
		this.thread.scheduleWithFixedDelay(this::ask, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
	}

	/*
	 * A step that fails is repeated the next time. Nothing is thrown, because the task
	 * would not be run again.
	 */
	private void ask() {
		try {
			this.links.forEach(SentinelLink::ask);
			// Also forgets old answers of sentinels that have stopped answering.
			choose();
			if (this.chosen.isDone()) {
				this.moved.run();
			}
		}
		catch (Throwable ex) {
			BackgroundLog.log(() -> logger.warn("The sentinels of '" + this.master + "' could not be asked", ex));
		}
	}

	/* Ask all sentinels; a new address is reported. */
	void askAnew() {
		this.thread.execute(() -> this.links.forEach(SentinelLink::ask));
	}

	/* Not complete while no sentinel knows the address. */
	CompletableFuture<Chosen> chosen() {
		return this.chosen;
	}

	/* Return why the address of the primary is not known, and what to do. */
	String problem() {
		if (!this.others.isEmpty()) {
			return "the sentinels do not know a primary '" + this.master + "', but " + this.others
					+ ": set spring.data.redis.sentinel.master to one of these";
		}
		if (this.problems.isEmpty()) {
			return "no answer yet from the sentinels at " + this.links;
		}
		return "no sentinel has the address of the primary '" + this.master + "': " + this.problems
				+ " (check spring.data.redis.sentinel: nodes, master, username and password)";
	}

	void answered(SentinelLink sentinel, SentinelLink.PrimaryInfo primary) {
		RedisNode address = primary.address();
		if (address == null) {
			this.problems.put(sentinel.toString(), "does not know a primary at the moment");
			return;
		}
		this.problems.remove(sentinel.toString());
		this.choice.recordAnswer(sentinel, address, primary.epoch(), System.nanoTime());
		if (this.choice.address() != null || this.choice.isSettled()) {
			choose();
		}
		else if (this.mayWait) {
			this.mayWait = false;
			this.thread.schedule(this::choose, MAJORITY_WAIT.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	/*
	 * The published choice decides where locks go. If an error prevents the steps after
	 * it, the next periodic request makes up for them.
	 */
	private void choose() {
		this.choice.choose(System.nanoTime());
		RedisNode address = this.choice.address();
		Chosen before = this.chosen.getNow(null);
		if (address == null || (before != null && before.address().equals(address))) {
			return;
		}
		Chosen next = new Chosen(address, new CompletableFuture<>());
		if (before == null) {
			this.chosen.complete(next);
			return;
		}
		CompletableFuture<Chosen> published = CompletableFuture.completedFuture(next);
		this.chosen = published;
		before.changed().complete(null);
		this.moved.run();
		BackgroundLog.log(() -> logger.info("The sentinels report that the primary '" + this.master + "' is now at "
				+ address + ", and no longer at " + before.address() + ". Locks are kept there from now on"));
	}

	/* The sentinel knows only primaries with other names. */
	void unknown(SentinelLink sentinel, List<String> others) {
		this.problems.put(sentinel.toString(), "does not know '" + this.master + "'");
		this.others.addAll(others);
	}

	void unreachable(SentinelLink sentinel, Throwable reason) {
		this.problems.put(sentinel.toString(), StoreFailures.describe(reason));
	}

	/* The client of the links closes their connections. */
	@Override
	public void close() {
		this.links.forEach(SentinelLink::close);
	}

	@Override
	public String toString() {
		return this.links.toString();
	}

	/**
	 * The chosen address of the primary.
	 *
	 * @param address its address
	 * @param changed complete when the primary has another address
	 */
	record Chosen(RedisNode address, CompletableFuture<@Nullable Void> changed) {

	}

}
