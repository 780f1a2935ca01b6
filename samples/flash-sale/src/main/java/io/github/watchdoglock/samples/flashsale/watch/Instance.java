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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.List;
import java.util.Map;

/**
 * The state of an instance, as the instance itself reports it.
 *
 * @param url where the other instances reach it
 * @param startedRedis whether it has started the Redis
 * @param pausable whether it can be paused without pausing the others
 * @param holds the locks that it holds, and the role that it leads
 * @param waiting how many of its callers wait for each lock
 * @param unlocked the locks that were lost while their work continues
 * @param renewals how many leases were renewed since its start
 * @param handedOnHere how many locks went from one of its callers to another
 * @param handedOnElsewhere how many locks went to a caller of another instance
 * @param lost how many locks were lost
 * @param logged the latest warnings about locks in its log, the oldest one first
 */
public record Instance(String url, boolean startedRedis, boolean pausable, List<Hold> holds, Map<String, Long> waiting,
		List<String> unlocked, long renewals, long handedOnHere, long handedOnElsewhere, long lost,
		List<LogLines.Line> logged) {

	Instance withHolds(List<Hold> current) {
		return new Instance(this.url, this.startedRedis, this.pausable, current, this.waiting, this.unlocked,
				this.renewals, this.handedOnHere, this.handedOnElsewhere, this.lost, this.logged);
	}

	/**
	 * A lock or a role that an instance holds.
	 *
	 * @param key the lock or role
	 * @param token the fencing token, or the number of the term
	 * @param until when the lease expires unless it is renewed, in ms since 1970
	 */
	public record Hold(String key, long token, long until) {

	}

}
