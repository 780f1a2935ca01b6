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

package io.github.watchdoglock.benchmarks.lock;

import java.time.Duration;
import java.util.Set;

import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The locks that are compared, each with the defaults of its documentation.
 */
public enum Contender {

	/** This project. */
	WATCHDOG_LOCK("watchdog-lock"),

	/** An earlier build of this project, which an option of the run names. */
	WATCHDOG_LOCK_BEFORE("watchdog-lock, before"),

	/** This project, without waiting for releases. */
	WATCHDOG_LOCK_NO_AWAIT("watchdog-lock, await-release=false"),

	/**
	 * This project, with locks that pass from instance to instance in order of arrival.
	 */
	WATCHDOG_LOCK_IN_ORDER("watchdog-lock, hand-offs=0"),

	/** This project, with instances that keep a released lock for a moment. */
	WATCHDOG_LOCK_LINGER("watchdog-lock, linger=1s"),

	/** Redisson's {@code RLock}. */
	REDISSON("Redisson"),

	/** Spring Integration's registry with its default, a poll every 100 ms. */
	REGISTRY_SPIN("RedisLockRegistry, spin"),

	/** Spring Integration's registry with messages. */
	REGISTRY_PUB_SUB("RedisLockRegistry, pub/sub"),

	/** ShedLock, which tries once. */
	SHEDLOCK("ShedLock"),

	/** Two scripts and nothing else: the cost of Redis and the connection. */
	BARE_PAIR("bare pair"),

	/** A fair lock for each key within one instance, without any requests. */
	FAIR_LOCK("fair ReentrantLock"),

	/** The fair locks of the JVM, with the callers of all instances in one JVM. */
	ONE_JVM("fair, in one JVM"),

	/** A transaction under a lock of this project. */
	UNFENCED("lock, not fenced"),

	/** The same, fenced. */
	FENCED("lock, fenced"),

	/** The same transaction with a row lock of the database instead. */
	FOR_UPDATE("`select … for update`"),

	/** Excludes no caller: shows that the checks detect that. */
	NO_LOCK("no lock");

	private final String title;

	Contender(String title) {
		this.title = title;
	}

	/**
	 * Return the name in results.
	 * @return the name
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether all instances have to be in one JVM.
	 * @return whether that is so
	 */
	public boolean isOfOneJvm() {
		return this == ONE_JVM;
	}

	/**
	 * Return the commands to Redis that acquire and release locks.
	 * @return the names, as in {@code INFO commandstats}
	 */
	public Set<String> commands() {
		return (this == SHEDLOCK) ? Set.of("set", "del") : Set.of("eval", "evalsha");
	}

	/**
	 * Return whether it also sends {@code SET}, which its scripts call, too.
	 * @return whether that is so
	 */
	public boolean sendsSet() {
		return name().startsWith("WATCHDOG_LOCK");
	}

	/**
	 * Create an instance, and connect it.
	 * @param port the port of Redis
	 * @param lease how long a lock lasts unless it is renewed, if this kind of lock has
	 * that setting
	 * @param database the URL of the database, for the kinds that need one
	 * @return the instance
	 */
	public Competitor create(int port, Duration lease, String database) {
		return switch (this) {
			case WATCHDOG_LOCK, WATCHDOG_LOCK_BEFORE -> new WatchdogLock(port, lease);
			case WATCHDOG_LOCK_NO_AWAIT -> new WatchdogLock(port, lease, "watchdog-lock.await-release=false");
			case WATCHDOG_LOCK_IN_ORDER ->
				new WatchdogLock(port, lease, "watchdog-lock.locks." + WatchdogLock.NAME + ".hand-offs=0");
			case WATCHDOG_LOCK_LINGER -> new WatchdogLock(port, lease, "watchdog-lock.linger=1s");
			case REDISSON -> OtherLibraries.redisson(port, lease);
			case REGISTRY_SPIN -> OtherLibraries.registry(port, RedisLockType.SPIN_LOCK);
			case REGISTRY_PUB_SUB -> OtherLibraries.registry(port, RedisLockType.PUB_SUB_LOCK);
			case SHEDLOCK -> OtherLibraries.shedLock(port, lease);
			case BARE_PAIR -> new BarePair(port, lease);
			case FAIR_LOCK, ONE_JVM -> new OneJvm();
			case UNFENCED -> LockedUpdate.create(port, lease, database, true, false);
			case FENCED -> LockedUpdate.create(port, lease, database, true, true);
			case FOR_UPDATE -> LockedUpdate.create(port, lease, database, false, false);
			case NO_LOCK -> new NoLock();
		};
	}

}
