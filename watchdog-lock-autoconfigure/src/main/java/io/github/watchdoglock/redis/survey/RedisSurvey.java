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

package io.github.watchdoglock.redis.survey;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.github.watchdoglock.store.LeaseSurvey;
import org.jspecify.annotations.Nullable;

/**
 * The survey of the locks of all instances, from the data in Redis. Each survey opens
 * connections of its own and closes them, and an instance runs one survey at a time. A
 * survey ends with the batch that reaches 100 ms or 10,000 keys, including keys that are
 * not locks. Thread-safe.
 */
public final class RedisSurvey implements LeaseSurvey {

	private static final long MAX_WAIT_MILLIS = 2_000;

	private final String prefix;

	private final boolean roles;

	private final Callable<SurveySession> opening;

	private final ReentrantLock turn = new ReentrantLock();

	/**
	 * Create a survey.
	 * @param prefix the prefix of the names of locks' keys
	 * @param roles whether to look for the locks of roles, and for no others
	 * @param opening opens connections; may block
	 */
	public RedisSurvey(String prefix, boolean roles, Callable<SurveySession> opening) {
		this.prefix = prefix;
		this.roles = roles;
		this.opening = opening;
	}

	@Override
	public Answer look(@Nullable String cursor, int limit) {
		ScanPosition from = (cursor != null) ? ScanPosition.parse(cursor) : null;
		if (cursor != null && from == null) {
			return new Answer.UnknownCursor("'cursor' is not from an earlier answer");
		}
		try {
			if (!this.turn.tryLock(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
				throw new LockStoreException(
						"Could not list the locks of all instances: another request is doing so." + " Try again later",
						null);
			}
			try (SurveySession session = this.opening.call()) {
				return new SurveyPass(this.prefix, this.roles, limit).run(session, from);
			}
			finally {
				this.turn.unlock();
			}
		}
		catch (LockStoreException ex) {
			throw ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failed(ex);
		}
		catch (Exception ex) {
			if (StoreFailures.isDenial(ex)) {
				return new Answer.Off(StoreFailures.describe(ex));
			}
			throw failed(ex);
		}
	}

	private LockStoreException failed(Exception cause) {
		return new LockStoreException("Could not list the locks of all instances: " + StoreFailures.describe(cause),
				cause);
	}

}
