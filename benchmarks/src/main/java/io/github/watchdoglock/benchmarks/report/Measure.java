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

package io.github.watchdoglock.benchmarks.report;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The meanings of values. Tables have a column for each, in this order.
 */
public enum Measure {

	/** Acquisitions per second. */
	PER_SECOND("perSecond", "per second", "%,.0f", true),

	/** The median time to acquire and release a lock. */
	PAIR_MICROS("pairMicros", "lock + unlock", "%,.0f µs", true),

	/** The same time, the 99th percentile. */
	PAIR_MICROS_99("pairMicros99", "99 %", "%,.0f µs", false),

	/** Commands to Redis for each acquisition. */
	COMMANDS("commandsPerAcquisition", "commands each", "%.2f", false),

	/**
	 * The acquisitions of the luckiest caller divided by those of the unluckiest caller,
	 * or by one if it had none.
	 */
	LUCK("luckiestToUnluckiest", "luckiest : unluckiest", "%.1f", false),

	/** The longest wait of any caller. */
	MAX_WAIT_MILLIS("longestWaitMillis", "longest wait", "%,.0f ms", true),

	/** The longest wait of any caller that wants to write. */
	MAX_WRITE_MILLIS("longestWriteWaitMillis", "a writer's longest wait", "%,.0f ms", true),

	/** How many callers that arrived later were served earlier, on average. */
	OVERTAKERS("overtakers", "overtaken by", "%,.2f", true),

	/** The maximum of these numbers. */
	MAX_OVERTAKERS("mostOvertakers", "at most by", "%,.0f", false),

	/** The percentage of turns that were overtaken at all. */
	OVERTAKEN_PERCENT("overtakenPercent", "overtaken at all", "%,.1f %%", false),

	/** The median time without a holder between holders of different instances. */
	GAP_MICROS("gapMicros", "gap", "%,.0f µs", false),

	/** The longest wait of the instance that has a single caller, in holds. */
	LONELY_WAIT_HOLDS("lonelyWaitHolds", "the single caller's longest wait", "%.1f holds", true),

	/** CPU time of the clients for each acquisition. */
	CLIENT_MICROS("clientCpuMicrosPerAcquisition", "client CPU each", "%,.0f µs", false),

	/** CPU time of Redis for each acquisition, including the network. */
	SERVER_MICROS("redisCpuMicrosPerAcquisition", "Redis CPU each", "%,.0f µs", false),

	/** How long Redis executed these commands, for each acquisition. */
	SERVER_RUN_MICROS("redisRunMicrosPerAcquisition", "of it commands", "%,.1f µs", false),

	/** CPU time of the client, in percent of a core. */
	CLIENT_PERCENT("clientCpuPercent", "client CPU", "%.1f %%", true),

	/** CPU time of Redis, in percent of a core. */
	SERVER_PERCENT("redisCpuPercent", "Redis CPU", "%.1f %%", true),

	/** CPU time of the client for each renewal. */
	CLIENT_RENEWAL_MICROS("clientCpuMicrosPerRenewal", "for a renewal", "%.1f µs", true),

	/** CPU time of Redis for each renewal. */
	SERVER_RENEWAL_MICROS("redisCpuMicrosPerRenewal", "Redis' for a renewal", "%.1f µs", true),

	/** Heap for each lock that is held. */
	HEAP_BYTES("heapBytesPerLock", "heap per lock", "%,.0f B", false),

	/** Memory of Redis for each lock that is held. */
	HELD_BYTES("redisBytesPerLock", "Redis memory per lock", "%,.0f B", false),

	/** Memory of Redis for the records of 1,000 new keys per second. */
	REMEMBERED_MEGABYTES("redisMegabytesRemembered", "Redis memory", "%,.1f MB", false),

	/** How long Redis keeps the record of a released lock. */
	REMEMBERED_SECONDS("redisSecondsRemembered", "remembered for", "%,.0f s", false),

	/** Bytes that a replica receives for each acquisition. */
	REPLICA_BYTES("replicaBytesPerAcquisition", "bytes each", "%,.0f B", false),

	/** Scripts in a period of renewal. */
	PER_PERIOD("renewalsPerPeriod", "renewals per period", "%,.2f", false),

	/** Redis' time for a renewal of a permit that is held together with others. */
	RENEWAL_MICROS("redisMicrosPerRenewal", "Redis' time for a renewal", "%.1f µs", true),

	/** The same time for exclusive locks. */
	EXCLUSIVE_RENEWAL_MICROS("redisMicrosPerExclusiveRenewal", "of an exclusive lock", "%.1f µs", true),

	/** The former divided by the latter. */
	RENEWAL_RATIO("renewalToExclusive", "to each other", "%.2f ×", true),

	/** The time until others had acquired all permits of an instance that was killed. */
	FREED_MILLIS("freedAfterMillis", "had by others after", "%,.0f ms", true),

	/**
	 * The same time after the end of a lease that was renewed at the moment of the kill.
	 */
	BEYOND_LEASE_MILLIS("beyondLeaseMillis", "beyond a lease", "%,.0f ms", true),

	/** Bytes that the JVM allocates for each acquisition. */
	ALLOCATED_BYTES("allocatedBytesPerAcquisition", "allocated each", "%,.0f B", false),

	/** The greatest delay of a renewal. */
	LATENESS_MILLIS("renewalLatenessMillis", "latest renewal", "%,.1f ms", true),

	/** Callers that failed and locks that were lost. */
	FAILURES("failures", "failures", "%,.0f", true),

	/** How long a call takes. */
	NANOS("nanos", "each", "%,.0f ns", true);

	private final String key;

	private final String head;

	private final String format;

	private final boolean spread;

	Measure(String key, String head, String format, boolean spread) {
		this.key = key;
		this.head = head;
		this.format = format;
		this.spread = spread;
	}

	/**
	 * Return the name in results.
	 * @return the name
	 */
	public String key() {
		return this.key;
	}

	String head() {
		return this.head;
	}

	String print(double value) {
		return String.format(Locale.ROOT, this.format, value);
	}

	/*
	 * The median; if the spread is relevant, also the minimum and the maximum of all
	 * rounds.
	 */
	String print(List<Double> values) {
		if (values.isEmpty()) {
			return "";
		}
		String median = print(Results.median(values));
		String least = print(Collections.min(values));
		String greatest = print(Collections.max(values));
		if (!this.spread || least.equals(greatest)) {
			return median;
		}
		return median + " (" + least.replaceAll("[^0-9.,]", "") + "–" + greatest.replaceAll("[^0-9.,]", "") + ")";
	}

}
