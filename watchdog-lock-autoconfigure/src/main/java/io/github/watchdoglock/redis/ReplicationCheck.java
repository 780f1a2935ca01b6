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

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A check that warns once about each primary that accepts writes which no replica may
 * ever receive. A failover loses these writes, and for a while there are two primaries. A
 * server shows that it has {@code min-replicas-to-write} by counting good replicas in
 * INFO. A server that does not report its replicas is not checked. In a cluster, only the
 * primary that has the key's slot is checked.
 */
final class ReplicationCheck {

	private static final Log logger = LogFactory.getLog(ReplicationCheck.class);

	private final boolean failsOver;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Create a check.
	 * @param failsOver whether sentinels can make another server the primary
	 */
	ReplicationCheck(boolean failsOver) {
		this.failsOver = failsOver;
	}

	/* Report what the script has answered. */
	void report(List<String> answer) {
		String replicas = answer.get(2);
		boolean good = !answer.get(3).isEmpty();
		if (!answer.get(1).equals("master") || replicas.equals("0") || good || !this.warned.add(answer.get(0))) {
			return;
		}
		String message = "This Redis has " + (replicas.equals("1") ? "a replica" : replicas + " replicas")
				+ " and min-replicas-to-write 0, so a failover can lose locks, and two callers may then hold one. Set"
				+ " min-replicas-to-write 1 and min-replicas-max-lag 10 on each server"
				+ (replicas.equals("1") ? ", and add a second replica: without one, locks fail" : "")
				+ ". Or set watchdog-lock.warn-of-unsafe-replication=false";
		BackgroundLog.log(() -> {
			if (this.failsOver) {
				logger.warn(message);
			}
			else {
				logger.info(message);
			}
		});
	}

}
