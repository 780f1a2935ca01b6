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

package io.github.watchdoglock.spring;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.SelectiveListener;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.text.DurationText;
import io.github.watchdoglock.text.PrintableText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log about locks for operators: warnings if exclusion is in doubt, and
 * everything else at DEBUG.
 */
public final class LoggingLockListener implements SelectiveListener {

	private static final Log logger = LogFactory.getLog(LoggingLockListener.class);

	/* Warnings that are logged once per name are logged for this number of names. */
	private static final int MAX_WARNED_NAMES = 1_000;

	private final Supplier<String> instance;

	private final Set<String> differing = ConcurrentHashMap.newKeySet();

	private final Set<String> full = ConcurrentHashMap.newKeySet();

	/**
	 * Create a listener.
	 * @param instance the label of this instance, as other instances display it
	 */
	public LoggingLockListener(Supplier<String> instance) {
		this.instance = instance;
	}

	@Override
	public boolean receivesRoutine() {
		return logger.isDebugEnabled();
	}

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		logger.debug(describe(key, token) + " was acquired after " + DurationText.of(waited));
	}

	@Override
	public void notAcquired(LockKey key, Outcome outcome, Duration waited) {
		logger.debug("Lock '" + key + "' (instance " + this.instance.get() + ") was not acquired after "
				+ DurationText.of(waited) + ": " + outcome);
	}

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		warn(describe(key, token) + " is at risk: it could not be renewed, and is lost in " + DurationText.of(remaining)
				+ " unless a renewal succeeds", cause);
	}

	@Override
	public void recovered(LockKey key, long token) {
		logger.info(describe(key, token) + " is no longer at risk: it was renewed");
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		logger.warn(describe(key, token) + " has been held for " + DurationText.of(held)
				+ ", longer than watchdog-lock.long-hold-warning. " + describe(stack));
	}

	@Override
	public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		logger.warn(describe(key, token) + " has been held for " + DurationText.of(held)
				+ ", its maximum (maxHoldTime, watchdog-lock.max-hold-time), and is not renewed any more. "
				+ describe(stack));
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		logger.warn(describe(key, token) + " is abandoned: "
				+ ((thread != null) ? "thread '" + PrintableText.of(thread) + "' ended without closing it"
						: "its detached handle was never closed, and is gone")
				+ ". Close it in a finally block, or with try-with-resources");
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		logger.warn(describe(loss.key(), loss.token()) + " was lost after " + DurationText.of(held) + ": "
				+ loss.reason().description()
				+ ((loss.reason() == LockLoss.Reason.OVERTAKEN) ? ". Its transactions are rolled back"
						: ". Another caller may have it now, while the work here goes on"));
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		logger.debug(describe(key, token) + " was released after " + DurationText.of(held));
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		String then = (cause instanceof CommandRefusedException) ? "the lock is free when its lease has expired"
				: "the release is repeated until it succeeds or the lease has expired";
		warn(describe(key, token) + " could not be released: " + then, cause);
	}

	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		logger.info(describe(key, token) + switch (end) {
			case DONE -> ", which could not be released before, has been released";
			case OVER -> ", which could not be released, is free, because its lease has expired";
			case DROPPED ->
				", which could not be released, is free when its lease has expired; the release is not repeated";
		});
	}

	@Override
	public void permitsDiffer(LockKey key, int permits, int others) {
		if (isNew(this.differing, key)) {
			logger.warn("Lock " + describe(key) + " is requested with " + permits + " permits, and by other"
					+ " callers with " + others + ". Each caller uses its own number, so at most the greater number of"
					+ " permits is held. Use one number, with 'permits' or watchdog-lock.locks.<name>.permits. This is"
					+ " logged once for each name");
		}
	}

	@Override
	public void readersFull(LockKey key, int readers) {
		if (isNew(this.full, key)) {
			logger.warn("Lock " + describe(key) + " is read with " + readers
					+ " leases, which is the maximum, so further readers wait as for a writer. Use the same lease for"
					+ " all readers of an instance, which then share it, or use fewer readers for a key. This is"
					+ " logged once for each name");
		}
	}

	/* A failure of the store needs no stack trace: its message is complete. */
	private static void warn(String message, Throwable cause) {
		if (cause instanceof LockStoreException) {
			logger.warn(message + ". Cause: " + cause.getMessage());
		}
		else {
			logger.warn(message, cause);
		}
	}

	private static boolean isNew(Set<String> names, LockKey key) {
		return names.size() < MAX_WARNED_NAMES && names.add(key.name());
	}

	private String describe(LockKey key) {
		return "'" + PrintableText.of(key.name()) + "' (instance " + this.instance.get() + ")";
	}

	private String describe(LockKey key, long token) {
		return "Lock '" + key + "' (token " + token + ", instance " + this.instance.get() + ")";
	}

	private static String describe(List<StackTraceElement> stack) {
		return stack.isEmpty() ? "It belongs to no thread"
				: stack.stream()
					.map((frame) -> System.lineSeparator() + "\tat " + withoutModule(frame))
					.collect(Collectors.joining("", "Stack of its thread:", ""));
	}

	/* Frames of other threads' stacks would also print class loader and module. */
	private static StackTraceElement withoutModule(StackTraceElement frame) {
		return new StackTraceElement(frame.getClassName(), frame.getMethodName(), frame.getFileName(),
				frame.getLineNumber());
	}

}
