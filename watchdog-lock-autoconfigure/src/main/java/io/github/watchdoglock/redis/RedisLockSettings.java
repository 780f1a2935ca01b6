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

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * The settings of the store in Redis. Immutable.
 *
 * @param keyPrefix the prefix of the names of keys and channels; without braces, which
 * would determine the hash slot
 * @param clientName the name of the connection, as {@code CLIENT LIST} shows it; without
 * spaces
 * @param recordRetention how long the record of a lock, with its greatest token and its
 * waiting instances, is kept after its lease; two leases if that is longer
 * @param wakeUps whether waiting instances are notified by messages; without them they
 * poll
 * @param pollInterval the interval between pings of the subscription
 * @param warnOfUnsafeReplication whether to warn about a primary that accepts writes
 * without its replicas
 * @param addressCheck whether to check that the address still leads to the server that
 * has the locks
 */
public record RedisLockSettings(String keyPrefix, String clientName, Duration recordRetention, boolean wakeUps,
		Duration pollInterval, boolean warnOfUnsafeReplication, boolean addressCheck) {

	public RedisLockSettings {
		Assert.hasText(keyPrefix, "'keyPrefix' must not be blank");
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "'keyPrefix' must have no braces, and was '" + keyPrefix + "'");
		Assert.hasText(clientName, "'clientName' must not be blank");
		Assert.isTrue(clientName.chars().allMatch((c) -> c > ' ' && c < 127),
				() -> "'clientName' must be of printable ASCII without spaces, and was '" + clientName + "'");
		Assert.isTrue(recordRetention.compareTo(Duration.ofMillis(1)) >= 0, "'recordRetention' must be positive");
		Assert.isTrue(recordRetention.toDays() <= 36_500, "'recordRetention' must not be longer than 36500 days");
		Assert.isTrue(pollInterval.toMillis() > 0, "'pollInterval' must be positive");
	}

}
