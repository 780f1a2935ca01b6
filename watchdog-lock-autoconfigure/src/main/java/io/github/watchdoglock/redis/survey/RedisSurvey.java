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
import io.github.watchdoglock.store.LeaseSurvey;
import org.jspecify.annotations.Nullable;

/**
 * The locks of all instances, by what Redis has. Each look opens connections of its own
 * and closes them, and an instance takes one at a time; it ends with the batch that takes
 * it to 100 ms or 10,000 keys, whosever the keys are. Thread-safe.
 */
public final class RedisSurvey implements LeaseSurvey {

	private static final long PATIENCE_MILLIS = 2_000;

	private final SurveyTerms terms;

	private final Callable<SurveySession> opening;

	private final ReentrantLock turn = new ReentrantLock();

	/**
	 * Create a survey.
	 * @param terms what there is to know of locks
	 * @param opening opens connections; may block, and throws
	 * {@link UnsupportedOperationException} where this is not possible at all
	 */
	public RedisSurvey(SurveyTerms terms, Callable<SurveySession> opening) {
		this.terms = terms;
		this.opening = opening;
	}

	@Override
	public Answer look(@Nullable String cursor, int limit) {
		ScanPosition from = (cursor != null) ? ScanPosition.parse(cursor) : null;
		if (cursor != null && from == null) {
			return new Answer.UnknownCursor("'cursor' is of no answer before");
		}
		try {
			if (!this.turn.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
				throw new LockStoreException("Could not list the locks of all instances: others are doing so", null);
			}
			try (SurveySession session = this.opening.call()) {
				return new SurveyPass(this.terms, limit).run(session, from);
			}
			finally {
				this.turn.unlock();
			}
		}
		catch (LockStoreException ex) {
			throw ex;
		}
		catch (UnsupportedOperationException ex) {
			return new Answer.Off(String.valueOf(ex.getMessage()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failed(ex);
		}
		catch (Exception ex) {
			if (this.terms.denials().test(ex)) {
				return new Answer.Off(this.terms.failures().apply(ex));
			}
			throw failed(ex);
		}
	}

	private LockStoreException failed(Exception cause) {
		return new LockStoreException(
				"Could not list the locks of all instances: " + this.terms.failures().apply(cause), cause);
	}

}
