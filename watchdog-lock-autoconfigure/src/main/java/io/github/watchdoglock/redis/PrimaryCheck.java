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

import java.io.Serial;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * A check whether the server at the other end of a new connection is a primary. Blocks.
 * <p>
 * Not promised: detection of a replica that accepts writes, if the user may run neither
 * ROLE nor INFO.
 */
final class PrimaryCheck {

	private PrimaryCheck() {
	}

	/*
	 * Check the role. If the server does not report it, a script tries a write that
	 * changes nothing.
	 */
	static void ensurePrimary(RedisAsyncCommands<byte[], byte[]> server, byte[] key)
			throws ExecutionException, InterruptedException, TimeoutException {
		String role = role(server);
		if (role == null) {
			role = ScriptAnswers.text(answer(server.<Object>eval(LockScript.ROLE.text(), ScriptOutputType.VALUE, key)));
		}
		ensureNoReplica(role);
	}

	/*
	 * A connection that only listens changes nothing, so the role that the server reports
	 * must do.
	 */
	static void ensureNoReplica(BaseRedisAsyncCommands<byte[], byte[]> server)
			throws ExecutionException, InterruptedException, TimeoutException {
		ensureNoReplica(role(server));
	}

	private static void ensureNoReplica(@Nullable String role) {
		if ("slave".equals(role)) {
			throw NotPrimaryException.ofReplica("READONLY");
		}
		if ("sentinel".equals(role)) {
			throw new NotPrimaryException("this is a sentinel");
		}
	}

	private static @Nullable String role(BaseRedisAsyncCommands<byte[], byte[]> server)
			throws ExecutionException, InterruptedException, TimeoutException {
		List<Object> role = answer(server.role());
		return (role != null && !role.isEmpty()) ? ScriptAnswers.text(role.get(0)) : null;
	}

	/*
	 * Return null if the user may not ask, or if the server cannot answer at the moment.
	 */
	private static <T> @Nullable T answer(RedisFuture<T> reply)
			throws ExecutionException, InterruptedException, TimeoutException {
		try {
			return reply.get(ConnectionBackOff.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			String error = StoreFailures.serverError(ex);
			if (error == null) {
				throw ex;
			}
			if (StoreFailures.isOfReplica(error)) {
				throw NotPrimaryException.ofReplica(error);
			}
			return null;
		}
	}

	/**
	 * The failure of a connection that leads to a server which keeps no locks.
	 */
	static final class NotPrimaryException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		private NotPrimaryException(String what) {
			super(what + ", and locks need the primary: a new connection is opened until one answers");
		}

		/* Create an exception for an error that only replicas return. */
		static NotPrimaryException ofReplica(String error) {
			return new NotPrimaryException(
					"this Redis is a replica (" + (error.contains("MASTERDOWN") ? "MASTERDOWN" : "READONLY") + ")");
		}

	}

}
