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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.store.CommandRefusedException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The scheduled jobs whose runs are skipped because the store of the locks fails. If the
 * exception was thrown instead, the scheduler would log it with its stack trace at each
 * run. Thread-safe.
 */
final class SkippedJobs {

	private static final Log logger = LogFactory.getLog(SkippedJobs.class);

	private static final Duration REPETITION = Duration.ofMinutes(1);

	private final Map<Method, Skipped> skipped = new ConcurrentHashMap<>();

	private final LongSupplier clock;

	/* The clock is one like System.nanoTime(). */
	SkippedJobs(LongSupplier clock) {
		this.clock = clock;
	}

	/* Returns whether the run is skipped, and logs that. */
	boolean skip(Method method, LockStoreException failure) {
		if (isRefusal(failure) || isOfDatabase(failure) || !isScheduledJob(method)) {
			return false;
		}
		long now = this.clock.getAsLong();
		Skipped job = this.skipped.compute(method, (key, before) -> Skipped.next(before, now));
		if (job.loggedAt() == now) {
			Throwable cause = (failure.getCause() instanceof LockStoreException store) ? store : failure;
			logger.warn("Job '" + name(method) + "' was skipped: " + cause.getMessage()
					+ ". Further skipped runs are logged at most once a minute");
		}
		return true;
	}

	/* Called when the store responds again. */
	void end(Method method) {
		Skipped job = this.skipped.isEmpty() ? null : this.skipped.remove(method);
		if (job != null) {
			logger.info("Redis responds again. Skipped runs of job '" + name(method) + "': " + job.runs());
		}
	}

	/* Retrying does not help: the configuration of the job or of Redis is wrong. */
	private static boolean isRefusal(LockStoreException failure) {
		return failure instanceof CommandRefusedException || failure.getCause() instanceof CommandRefusedException;
	}

	/* A fence was not raised: the job would fail too, and its table may be missing. */
	private static boolean isOfDatabase(LockStoreException failure) {
		return failure.getCause() instanceof SQLException;
	}

	/* A caller of a method with a result would get null instead of it. */
	private static boolean isScheduledJob(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return method.getReturnType() == void.class && annotations.isPresent(LockedJob.class)
				&& annotations.isPresent(Scheduled.class);
	}

	private static String name(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

	/**
	 * The skipped runs of a job.
	 *
	 * @param runs how many
	 * @param loggedAt when the last line about them was logged, by
	 * {@link System#nanoTime()}
	 */
	private record Skipped(int runs, long loggedAt) {

		private static Skipped next(@Nullable Skipped before, long now) {
			if (before == null) {
				return new Skipped(1, now);
			}
			return new Skipped(before.runs + 1, (now - before.loggedAt < REPETITION.toNanos()) ? before.loggedAt : now);
		}

	}

}
