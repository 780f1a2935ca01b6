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
 * What a value says. Tables have a column for each, in this order.
 */
public enum Measure {

	/** Acquisitions in a second. */
	PER_SECOND("perSecond", "per second", "%,.0f", true),

	/** The former by that of the first contender, round by round. */
	TO_FIRST("toFirst", "to the first", "%.2f ×", true),

	/** How long it took to get and give back a lock, the median. */
	PAIR_MICROS("pairMicros", "lock + unlock", "%,.0f µs", true),

	/** The same, for 99 of 100. */
	PAIR_MICROS_99("pairMicros99", "99 %", "%,.0f µs", false),

	/** Commands to Redis for each acquisition. */
	COMMANDS("commandsPerAcquisition", "commands each", "%.2f", false),

	/**
	 * Acquisitions of the luckiest caller by those of the unluckiest; where that had
	 * none, as if it had one.
	 */
	LUCK("luckiestToUnluckiest", "luckiest : unluckiest", "%.1f", false),

	/** The longest wait of any caller. */
	LONGEST_WAIT_MILLIS("longestWaitMillis", "longest wait", "%,.0f ms", true),

	/** The longest wait of any caller who wants to write. */
	LONGEST_WRITE_MILLIS("longestWriteWaitMillis", "a writer's longest wait", "%,.0f ms", true),

	/** How many came later and were served earlier, on average. */
	OVERTAKERS("overtakers", "overtaken by", "%,.2f", true),

	/** The most of them. */
	MOST_OVERTAKERS("mostOvertakers", "at most by", "%,.0f", false),

	/** How many of a hundred turns were overtaken by any. */
	OVERTAKEN_PERCENT("overtakenPercent", "overtaken at all", "%,.1f %%", false),

	/** How long nobody was inside from one instance to another, the median. */
	GAP_MICROS("gapMicros", "gap", "%,.0f µs", false),

	/** The longest wait of the instance of one caller, in holds. */
	LONELY_WAIT_HOLDS("lonelyWaitHolds", "the single caller's longest wait", "%.1f holds", true),

	/** Processor time of the clients for each acquisition. */
	CLIENT_MICROS("clientCpuMicrosPerAcquisition", "client CPU each", "%,.0f µs", false),

	/** Processor time of Redis for each acquisition, network included. */
	SERVER_MICROS("redisCpuMicrosPerAcquisition", "Redis CPU each", "%,.0f µs", false),

	/** How long Redis ran these commands for, for each acquisition. */
	SERVER_RUN_MICROS("redisRunMicrosPerAcquisition", "of it commands", "%,.1f µs", false),

	/** Processor time of the client, in hundredths of a core. */
	CLIENT_PERCENT("clientCpuPercent", "client CPU", "%.1f %%", true),

	/** Processor time of Redis, in hundredths of a core. */
	SERVER_PERCENT("redisCpuPercent", "Redis CPU", "%.1f %%", true),

	/** Heap for each lock that is held. */
	HEAP_BYTES("heapBytesPerLock", "heap per lock", "%,.0f B", false),

	/** Memory of Redis for each lock that is held. */
	HELD_BYTES("redisBytesPerLock", "Redis memory per lock", "%,.0f B", false),

	/** Memory of Redis for what it remembers of 1,000 new keys a second. */
	REMEMBERED_MEGABYTES("redisMegabytesRemembered", "Redis memory", "%,.1f MB", false),

	/** How long Redis remembers a lock that was released. */
	REMEMBERED_SECONDS("redisSecondsRemembered", "remembered for", "%,.0f s", false),

	/** What a replica is sent for each acquisition. */
	REPLICA_BYTES("replicaBytesPerAcquisition", "bytes each", "%,.0f B", false),

	/** Scripts in a period of renewal. */
	PER_PERIOD("renewalsPerPeriod", "renewals per period", "%,.2f", false),

	/** Redis' time for a renewal of what is held together. */
	RENEWAL_MICROS("redisMicrosPerRenewal", "Redis' time for a renewal", "%.1f µs", true),

	/** The same, of exclusive locks. */
	EXCLUSIVE_RENEWAL_MICROS("redisMicrosPerExclusiveRenewal", "of an exclusive lock", "%.1f µs", true),

	/** The former by the latter. */
	RENEWAL_RATIO("renewalToExclusive", "to each other", "%.2f ×", true),

	/** When others had all that an instance held which was killed. */
	FREED_MILLIS("freedAfterMillis", "had by others after", "%,.0f ms", true),

	/** The same after the end of a lease that was renewed last when it was killed. */
	BEYOND_LEASE_MILLIS("beyondLeaseMillis", "beyond a lease", "%,.0f ms", true),

	/** What the JVM allocates for each acquisition. */
	ALLOCATED_BYTES("allocatedBytesPerAcquisition", "allocated each", "%,.0f B", false),

	/** By how much the latest renewal was too late. */
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
	 * What it is called in results.
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

	/* The median, and where it matters the least and the greatest of all rounds. */
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
