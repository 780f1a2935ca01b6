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

/**
 * What an instance says of itself.
 *
 * @param url where the others reach it
 * @param startedRedis whether the Redis is its own
 * @param holds the locks that it holds
 * @param leads whether it writes the nightly report
 * @param waiting callers that wait for one
 * @param atRisk how many of its locks can't be renewed at the moment
 * @param renewals how many leases were renewed since it was started
 * @param handedOnHere locks that went from one of its callers to another
 * @param handedOnElsewhere locks that went to a caller of another instance
 * @param lost locks that were lost
 */
public record Instance(String url, boolean startedRedis, String holds, boolean leads, int waiting, int atRisk,
		long renewals, long handedOnHere, long handedOnElsewhere, long lost) {

}
