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

/**
 * What values are called in results.
 */
public final class Measure {

	/** Acquisitions in a second. */
	public static final String PER_SECOND = "perSecond";

	/** How long it took to get and give back a lock, the median. */
	public static final String PAIR_MICROS = "pairMicros";

	/** The same, for 99 of 100. */
	public static final String PAIR_MICROS_99 = "pairMicros99";

	/** Commands to Redis for each acquisition. */
	public static final String COMMANDS = "commandsPerAcquisition";

	/** How long Redis ran these commands for, for each acquisition. */
	public static final String SERVER_RUN_MICROS = "redisRunMicrosPerAcquisition";

	/** Processor time of the clients for each acquisition. */
	public static final String CLIENT_MICROS = "clientCpuMicrosPerAcquisition";

	/** Processor time of Redis for each acquisition, network included. */
	public static final String SERVER_MICROS = "redisCpuMicrosPerAcquisition";

	/** Acquisitions of the luckiest caller. */
	public static final String MOST = "luckiestCaller";

	/** Acquisitions of the unluckiest caller. */
	public static final String FEWEST = "unluckiestCaller";

	/**
	 * The luckiest caller's by the unluckiest's; where that had none, as if it had one.
	 */
	public static final String LUCK = "luckiestToUnluckiest";

	/** The longest wait of any caller. */
	public static final String LONGEST_WAIT_MILLIS = "longestWaitMillis";

	/** How long nobody was inside from one instance to another, the median. */
	public static final String GAP_MICROS = "gapMicros";

	/** The longest wait of the instance of one caller, in holds. */
	public static final String LONELY_WAIT_HOLDS = "lonelyWaitHolds";

	/** Processor time of the client, in hundredths of a core. */
	public static final String CLIENT_PERCENT = "clientCpuPercent";

	/** Processor time of Redis, in hundredths of a core. */
	public static final String SERVER_PERCENT = "redisCpuPercent";

	/** Heap for each lock that is held. */
	public static final String HEAP_BYTES = "heapBytesPerLock";

	/** Memory of Redis for each lock that is held. */
	public static final String HELD_BYTES = "redisBytesPerLock";

	/** Memory of Redis for what it remembers of 1,000 new keys a second. */
	public static final String REMEMBERED_MEGABYTES = "redisMegabytesRemembered";

	/** How long Redis remembers a lock that was released. */
	public static final String REMEMBERED_SECONDS = "redisSecondsRemembered";

	/** What a replica is sent for each acquisition. */
	public static final String REPLICA_BYTES = "replicaBytesPerAcquisition";

	/** Scripts in a period of renewal. */
	public static final String PER_PERIOD = "renewalsPerPeriod";

	/** How long a call takes. */
	public static final String NANOS = "nanos";

	private Measure() {
	}

}
