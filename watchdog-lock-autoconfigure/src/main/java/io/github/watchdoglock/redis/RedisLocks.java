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

import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.survey.RedisSurvey;
import io.github.watchdoglock.redis.survey.SurveySession;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.WakeUps;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The locks in Redis: the store, its operations for operators, and its wake-ups, over
 * connections of their own. Thread-safe.
 * <p>
 * The constructor does not contact Redis, which may be down. From the call of
 * {@link #connect()}, or from the first command on, a daemon thread connects. Commands
 * before the end of its first attempt wait for that attempt; later commands fail while
 * there is no connection. Not promised: that Redis keeps a lease through a failover.
 */
public final class RedisLocks implements AutoCloseable {

	private final LettuceScripts scripts;

	private final RedisLeaseStore store;

	private final LettuceSubscriptions subscriptions;

	private final RedisWakeUps wakeUps;

	private final LeaseSurvey survey;

	private final LeaseSurvey roles;

	private final CallTimeouts timeouts = new CallTimeouts();

	private final LettuceClient client;

	private final ScheduledThreadPoolExecutor connecting = connecting();

	/** Completed when suspended connections may be opened again. */
	private volatile CompletableFuture<Void> resumed = new CompletableFuture<>();

	/**
	 * Create the locks. No connection is opened and no thread is started yet.
	 * @param application the application's connection factory, or one that was created
	 * for locks; connections are opened from its configuration, and it need not be
	 * started
	 * @param settings the settings of the store
	 * @throws IllegalArgumentException if the configuration {@link #isReadable cannot be
	 * read}
	 */
	public RedisLocks(RedisConnectionFactory application, RedisLockSettings settings) {
		this(application, settings, AddressCheck.INTERVAL);
	}

	/* Visible for tests that cannot wait for a minute. */
	RedisLocks(RedisConnectionFactory application, RedisLockSettings settings, Duration addressInterval) {
		boolean failsOver = RedisAddress.isOfSentinels(application);
		ServerCheck check = new ServerCheck(settings, this.timeouts, failsOver);
		this.client = new LettuceClient(application, settings.clientName());
		ConnectionBackOff backOff = new ConnectionBackOff(this.client.address(), " for locks", null);
		this.subscriptions = new LettuceSubscriptions(this.client, settings, backOff, this.connecting);
		AddressCheck addressCheck = new AddressCheck(this.client, settings, this.subscriptions, check.key(),
				addressInterval, this.connecting);
		this.scripts = new LettuceScripts(this.client, check, addressCheck, this.subscriptions, backOff,
				this.connecting);
		this.wakeUps = new RedisWakeUps(this.subscriptions, this.scripts, settings.keyPrefix());
		this.store = new RedisLeaseStore(this.scripts::send,
				new ScriptArguments(settings, !this.client.derivation().findsPrimaries()),
				this.client.derivation().isClustered(), this.timeouts, this.client.address());
		Callable<SurveySession> surveying = () -> openForSurvey(application, settings, check.key());
		this.survey = new RedisSurvey(settings.keyPrefix(), false, surveying);
		this.roles = new RedisSurvey(settings.keyPrefix(), true, surveying);
	}

	/**
	 * Return whether connections can be opened from the configuration of a factory.
	 * @param factory the factory
	 * @return false for drivers other than Lettuce, for subclasses of its factory, and
	 * for a static list of a primary and its replicas
	 */
	public static boolean isReadable(RedisConnectionFactory factory) {
		return LettuceDerivation.configuration(factory) != null;
	}

	/* The server is the only thing that it shares with locks. */
	private static SurveySession openForSurvey(RedisConnectionFactory application, RedisLockSettings settings,
			String key) throws Exception {
		LettuceClient client = new LettuceClient(application, settings.clientName());
		try {
			ScriptConnection opened = ScriptConnection.open(client, key, (connection, reason) -> {
			});
			return new LettuceSession(opened.commands(), client::close);
		}
		catch (Throwable ex) {
			client.close();
			throw ex;
		}
	}

	/**
	 * Connect in the background, unless that has begun already; the first command begins
	 * it too. Does not block.
	 */
	public void connect() {
		this.timeouts.start();
		this.scripts.begin();
	}

	/**
	 * Close all connections and their threads, so that the process can be saved in a
	 * checkpoint, and open none before {@link #resume()}. Commands fail meanwhile.
	 * Blocks.
	 */
	public void suspend() {
		if (this.connecting.isShutdown()) {
			return;
		}
		CompletableFuture<Void> suspended = new CompletableFuture<>();
		CompletableFuture<Void> resumed = new CompletableFuture<>();
		this.resumed = resumed;
		this.connecting.execute(() -> {
			try {
				SocketException reason = new SocketException("a checkpoint of the process is being made");
				this.subscriptions.suspend(reason);
				this.scripts.suspend(reason);
				this.client.stop(false);
			}
			finally {
				suspended.complete(null);
			}
			resumed.join();
			// Calls that came between the end of the connection and the checkpoint.
			this.scripts.suspend(new SocketException("the process was restored"));
		});
		suspended.completeOnTimeout(null, 10, TimeUnit.SECONDS).join();
	}

	/**
	 * Open the connections again that were open before {@link #suspend()}.
	 */
	public void resume() {
		this.resumed.complete(null);
	}

	/* Once it is closed, no connection is needed any more. */
	private static ScheduledThreadPoolExecutor connecting() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
				new DefaultThreadFactory("watchdog-lock-redis-connector", true),
				new ThreadPoolExecutor.DiscardPolicy());
		executor.setRemoveOnCancelPolicy(true);
		return executor;
	}

	/**
	 * Return the store of leases.
	 * @return always the same object
	 */
	public LeaseStore store() {
		return this.store;
	}

	/**
	 * Return the store's operations for operators.
	 * @return always the same object
	 */
	public LeaseInspector inspector() {
		return this.store;
	}

	/**
	 * Return the survey of the locks of all instances.
	 * @return always the same object
	 */
	public LeaseSurvey survey() {
		return this.survey;
	}

	/**
	 * Return the survey of the roles that an instance leads.
	 * @return always the same object
	 */
	public LeaseSurvey roles() {
		return this.roles;
	}

	/**
	 * Return the source of hints by message; it delivers none if they are switched off.
	 * @return always the same object
	 */
	public WakeUps wakeUps() {
		return this.wakeUps;
	}

	/**
	 * Close the connections. Commands fail from now on.
	 */
	@Override
	public void close() {
		resume();
		this.subscriptions.close();
		this.scripts.close();
		end(this.connecting);
		this.client.close();
		this.timeouts.close();
	}

	/* A connection that is being opened needs the resources that are closed next. */
	private static void end(ScheduledThreadPoolExecutor connecting) {
		connecting.shutdownNow();
		try {
			connecting.awaitTermination(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Describe the address that a factory connects to, for people to read. Does not
	 * connect.
	 * @param factory the factory
	 * @return {@code Redis}, with the address if the factory reveals it, and without user
	 * names and passwords
	 */
	public static String describe(RedisConnectionFactory factory) {
		return RedisAddress.describe(factory);
	}

}
