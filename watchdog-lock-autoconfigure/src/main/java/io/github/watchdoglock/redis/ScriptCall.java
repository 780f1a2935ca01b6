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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import org.jspecify.annotations.Nullable;

/**
 * A script on its way to Redis and back. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class ScriptCall implements TimerTask {

	/* Includes the start of the client, which takes seconds if the JVM is slow. */
	private static final Duration CONNECTING = Duration.ofSeconds(10);

	private static final String NOT_SENT = "the connection is still being opened";

	private final LockScript script;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final CompletableFuture<List<String>> answer = new CompletableFuture<>();

	private @Nullable SetIfEqual first;

	private volatile long deadline;

	private volatile long timeout;

	private volatile @Nullable Carrier carrier;

	private volatile @Nullable Future<?> reply;

	private volatile long sentAt;

	private volatile boolean sent;

	private volatile boolean givenUp;

	ScriptCall(LockScript script, List<byte[]> keys, List<byte[]> arguments) {
		this.script = script;
		this.keys = keys.toArray(byte[][]::new);
		this.arguments = arguments.toArray(byte[][]::new);
	}

	/* The timeout begins here, regardless of what the call waits for. */
	CompletableFuture<List<String>> within(Duration timeout, Timer timer) {
		this.timeout = timeout.toNanos();
		this.deadline = System.nanoTime() + this.timeout;
		arm(timer, this.timeout);
		return this.answer;
	}

	private void arm(Timer timer, long nanos) {
		try {
			Timeout alarm = timer.newTimeout(this, nanos, TimeUnit.NANOSECONDS);
			this.answer.whenComplete((answer, failure) -> alarm.cancel());
		}
		catch (IllegalStateException ex) {
			fail(new IllegalStateException("closed", ex));
		}
	}

	/*
	 * Allow the call to wait for the first connection, too, before it is sent. The
	 * attempt to open that connection has timeouts of its own, and the call fails with
	 * it.
	 */
	void mayConnect() {
		this.deadline = System.nanoTime() + this.timeout + CONNECTING.toNanos();
	}

	/* A connection has sent the call, and is notified if there is no reply in time. */
	void sentBy(Carrier carrier, Future<?> reply, long sentAt) {
		this.sentAt = sentAt;
		this.reply = reply;
		this.carrier = carrier;
	}

	/* Checks again after each timeout, because sending may bring the deadline forward. */
	@Override
	public void run(Timeout alarm) {
		long left = this.deadline - System.nanoTime();
		if (left <= 0) {
			timeOut();
		}
		else if (!this.answer.isDone()) {
			arm(alarm.timer(), Math.min(left, this.timeout));
		}
	}

	/* The connection is notified first, so that later calls use another one. */
	private void timeOut() {
		Carrier carrier = this.carrier;
		boolean ended = false;
		try {
			if (carrier != null && !this.answer.isDone()) {
				carrier.unanswered(this.sentAt, Duration.ofNanos(this.timeout));
			}
		}
		finally {
			ended = this.answer.completeExceptionally(this.sent
					? StoreFailures.noResponse(Duration.ofNanos(this.timeout)) : new TimeoutException(NOT_SENT));
		}
		Future<?> reply = this.reply;
		if (ended && reply != null) {
			reply.cancel(true);
		}
	}

	/*
	 * Set a command that is tried first, in place of the script. Must be called before
	 * the call is sent.
	 */
	void tryFirst(SetIfEqual command) {
		this.first = command;
	}

	@Nullable SetIfEqual first() {
		return this.first;
	}

	LockScript script() {
		return this.script;
	}

	byte[][] keys() {
		return this.keys;
	}

	byte[][] arguments() {
		return this.arguments;
	}

	CompletableFuture<List<String>> answer() {
		return this.answer;
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
		return !this.givenUp && !this.answer.isDone();
	}

	/* End the call with the reply of a driver. */
	void complete(@Nullable Object reply) {
		try {
			this.answer.complete(ScriptAnswers.texts(reply));
		}
		catch (IllegalStateException ex) {
			this.answer.completeExceptionally(ex);
		}
	}

	/* End the call without an effect. */
	void notSent(Throwable reason) {
		this.sent = false;
		fail(reason);
	}

	/* End the call with a failure. It may have had an effect if it was sent. */
	void fail(Throwable reason) {
		this.answer.completeExceptionally(reason);
	}

	boolean isSent() {
		return this.sent;
	}

	/* The call is not sent any more. */
	void giveUp() {
		this.givenUp = true;
	}

	/**
	 * A connection that sends calls.
	 */
	interface Carrier {

		/**
		 * Report that a call had no reply in time, so the connection may be broken.
		 * @param sentAt when the call was sent, by {@link System#nanoTime()}
		 * @param timeout how long the call waited for its reply
		 */
		void unanswered(long sentAt, Duration timeout);

	}

	/**
	 * The command {@code SET key record IFEQ record GET PX ttl}, which Redis 8.4 and
	 * Valkey 8.1 execute. It ends a lease that was never renewed if its record is
	 * unchanged, because the record then differs from that of a released key in its TTL
	 * only.
	 *
	 * @param record the expected record
	 * @param ttl the TTL of a released key, in milliseconds
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record SetIfEqual(byte[] record, long ttl) {

		CommandArgs<byte[], byte[]> arguments(byte[] key) {
			return new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key)
				.addValue(this.record)
				.add("IFEQ")
				.addValue(this.record)
				.add("GET")
				.add("PX")
				.add(this.ttl);
		}

		/* Whether the command has taken effect, by what it has answered. */
		boolean isEqual(@Nullable Object before) {
			return before instanceof byte[] bytes && Arrays.equals(bytes, this.record);
		}

	}

}
