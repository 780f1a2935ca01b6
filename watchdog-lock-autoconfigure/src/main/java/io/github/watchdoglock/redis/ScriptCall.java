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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.redis.connection.StoreFailures;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A script on its way to Redis and back: the future of its answer. Thread-safe.
 *
 * @param <T> the type of the answer
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class ScriptCall<T> extends CompletableFuture<T> {

	private static final Log logger = LogFactory.getLog(ScriptCall.class);

	/* Includes the start of the client, which takes seconds if the JVM is slow. */
	private static final Duration CONNECTING = Duration.ofSeconds(10);

	private static final String NOT_SENT = "the connection is still being opened";

	private final LockScript script;

	private final EncodedArguments arguments;

	private final Function<List<String>, T> reader;

	private final @Nullable StoreFailures failures;

	private Supplier<@Nullable SetIfEqual> first = () -> null;

	private volatile long deadline;

	private volatile long timeout;

	private volatile @Nullable Consumer<Duration> unanswered;

	private volatile @Nullable Future<?> reply;

	private volatile boolean sent;

	private volatile boolean givenUp;

	/**
	 * Create a call.
	 * @param script the script
	 * @param arguments its keys and arguments
	 * @param reader converts the reply, and throws if it makes no sense
	 * @param failures creates the exceptions that callers of the store need; null for
	 * those of the driver
	 */
	ScriptCall(LockScript script, EncodedArguments arguments, Function<List<String>, T> reader,
			@Nullable StoreFailures failures) {
		this.script = script;
		this.arguments = arguments;
		this.reader = reader;
		this.failures = failures;
	}

	/* The timeout begins here, regardless of what the call waits for. */
	ScriptCall<T> within(Duration timeout, CallTimeouts timeouts) {
		this.timeout = timeout.toNanos();
		this.deadline = System.nanoTime() + this.timeout;
		timeouts.add(this);
		return this;
	}

	/*
	 * Allow the call to wait for the first connection, too, before it is sent. The
	 * attempt to open that connection has timeouts of its own, and the call fails with
	 * it.
	 */
	void mayConnect() {
		this.deadline = System.nanoTime() + this.timeout + CONNECTING.toNanos();
	}

	/*
	 * A connection has sent the call. If there is no reply in time, it receives how long
	 * the call has waited.
	 */
	void sentBy(Consumer<Duration> unanswered, Future<?> reply) {
		this.reply = reply;
		this.unanswered = unanswered;
	}

	/*
	 * Return whether the call has ended because it had no reply in time. The connection
	 * is notified first, so that later calls use another one.
	 */
	boolean endIfOverdue(long now) {
		if (this.deadline - now > 0) {
			return false;
		}
		Duration waited = Duration.ofNanos(this.timeout);
		Consumer<Duration> unanswered = this.unanswered;
		try {
			if (unanswered != null && !isDone()) {
				unanswered.accept(waited);
			}
		}
		catch (Throwable ex) {
			logger.debug("A connection without a response could not be closed", ex);
		}
		boolean ended = fail(this.sent ? StoreFailures.noResponse(waited) : new TimeoutException(NOT_SENT));
		Future<?> reply = this.reply;
		if (ended && reply != null) {
			reply.cancel(true);
		}
		return true;
	}

	/*
	 * Set a command that is tried first, in place of the script, if the server may know
	 * it. Must be called before the call is sent.
	 */
	void tryFirst(Supplier<@Nullable SetIfEqual> command) {
		this.first = command;
	}

	@Nullable SetIfEqual first() {
		return this.first.get();
	}

	LockScript script() {
		return this.script;
	}

	EncodedArguments arguments() {
		return this.arguments;
	}

	/*
	 * Return whether the call is still worth sending; from then on, Redis may execute it.
	 */
	boolean send() {
		long now = System.nanoTime();
		if (this.deadline - now > this.timeout) {
			this.deadline = now + this.timeout;
		}
		this.sent = true;
		return !this.givenUp && !isDone();
	}

	/* End the call with the reply of a driver. */
	void reply(@Nullable Object reply) {
		try {
			complete(this.reader.apply(ScriptAnswers.texts(reply)));
		}
		catch (RuntimeException ex) {
			fail(ex);
		}
	}

	/* End the call without an effect. */
	void notSent(Throwable reason) {
		this.sent = false;
		fail(reason);
	}

	/*
	 * End the call with a failure. It may have had an effect if it was sent. Return
	 * whether it has ended with this.
	 */
	boolean fail(Throwable reason) {
		return completeExceptionally((this.failures != null) ? this.failures.of(this.sent, reason) : reason);
	}

	boolean isSent() {
		return this.sent;
	}

	/* The call is not sent any more. */
	void giveUp() {
		this.givenUp = true;
	}

	/**
	 * The command {@code SET key record IFEQ record GET PX ttl}, which Redis 8.4 and
	 * Valkey 8.1 execute. It ends a lease that was never renewed if its record is
	 * unchanged, because the record then differs from that of a released key in its TTL
	 * only.
	 *
	 * @param key the key
	 * @param record the expected record
	 * @param ttl the TTL of a released key, in milliseconds
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record SetIfEqual(byte[] key, byte[] record, long ttl) {

		EncodedArguments arguments() {
			return new EncodedArguments(this.key).add(this.record)
				.addWord("IFEQ")
				.add(this.record)
				.addWord("GET")
				.addWord("PX")
				.add(this.ttl);
		}

		/* Whether the command has taken effect, by what it has answered. */
		boolean isEqual(@Nullable Object before) {
			return before instanceof byte[] bytes && Arrays.equals(bytes, this.record);
		}

	}

}
