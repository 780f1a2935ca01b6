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
import java.util.regex.Pattern;

import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The locks that are compared, each with the defaults of its documentation.
 */
public enum Contender {

	/** This project, in an application with Actuator. */
	WATCHDOG_LOCK("watchdog-lock"),

	/** An earlier build of this project, which an option of the run names. */
	WATCHDOG_LOCK_BEFORE("watchdog-lock, before"),

	/** This project, in an application without Actuator. */
	WATCHDOG_LOCK_UNMETERED("watchdog-lock, without Actuator"),

	/** This project, with a handler for the observations of its locks. */
	WATCHDOG_LOCK_OBSERVED("watchdog-lock, observations on"),

	/** This project, with a registry for Prometheus beside the simple one. */
	WATCHDOG_LOCK_PROMETHEUS("watchdog-lock, Prometheus"),

	/** This project, with a trace of each lock. */
	WATCHDOG_LOCK_TRACED("watchdog-lock, tracing"),

	/** This project, with a trace of one lock in ten. */
	WATCHDOG_LOCK_SAMPLED("watchdog-lock, tracing of 10 %"),

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

	private static final Pattern ACTUATOR = Pattern
		.compile("actuator|spring-boot-(micrometer|health)|micrometer-(core|jakarta)");

	private static final Pattern PROMETHEUS = Pattern.compile("prometheus");

	private static final Pattern TRACING = Pattern.compile("tracing|opentelemetry");

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
	 * Return whether a JAR is on the class path. Libraries configure themselves if they
	 * are.
	 * @param jar the name of the file
	 * @return false if an application of this kind would not have it
	 */
	public boolean uses(String jar) {
		return switch (this) {
			case WATCHDOG_LOCK_UNMETERED -> !ACTUATOR.matcher(jar).find() && !isOptional(jar);
			case WATCHDOG_LOCK_PROMETHEUS -> !TRACING.matcher(jar).find();
			case WATCHDOG_LOCK_TRACED, WATCHDOG_LOCK_SAMPLED -> !PROMETHEUS.matcher(jar).find();
			default -> !isOptional(jar);
		};
	}

	private static boolean isOptional(String jar) {
		return PROMETHEUS.matcher(jar).find() || TRACING.matcher(jar).find();
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
			case WATCHDOG_LOCK, WATCHDOG_LOCK_BEFORE, WATCHDOG_LOCK_UNMETERED -> new WatchdogLock(port, lease);
			case WATCHDOG_LOCK_OBSERVED -> WatchdogLock.observed(port, lease);
			case WATCHDOG_LOCK_PROMETHEUS ->
				new WatchdogLock(port, lease, "management.simple.metrics.export.enabled=true");
			case WATCHDOG_LOCK_TRACED -> new WatchdogLock(port, lease, "management.tracing.sampling.probability=1");
			case WATCHDOG_LOCK_SAMPLED -> new WatchdogLock(port, lease, "management.tracing.sampling.probability=0.1");
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
