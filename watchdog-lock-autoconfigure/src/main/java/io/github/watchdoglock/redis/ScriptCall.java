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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

/**
 * One script on its way to Redis and back. Thread-safe.
 */
final class ScriptCall {

	/* The client is started, too, which takes seconds where the JVM is slow. */
	private static final Duration CONNECTING = Duration.ofSeconds(10);

	private static final String NOT_SENT = "the connection is still being opened";

	private final LockScript script;

	private final byte[][] keys;

	private final byte[][] arguments;

	private final CompletableFuture<List<String>> answer = new CompletableFuture<>();

	private volatile long deadline;

	private volatile long timeout;

	private volatile @Nullable Carrier carrier;

	private volatile boolean sent;

	private volatile boolean givenUp;

	ScriptCall(LockScript script, List<byte[]> keys, List<byte[]> arguments) {
		this.script = script;
		this.keys = keys.toArray(byte[][]::new);
		this.arguments = arguments.toArray(byte[][]::new);
	}

	/* The time-out counts from here, whatever the call waits for. */
	CompletableFuture<List<String>> within(Duration timeout, TimeOuts timeOuts) {
		this.timeout = timeout.toNanos();
		this.deadline = System.nanoTime() + this.timeout;
		timeOuts.watch(this);
		return this.answer;
	}

	/*
	 * It may also wait for the first connection before it is sent. The attempt to open
	 * that has timeouts of its own, and the call fails with it.
	 */
	void mayConnect() {
		this.deadline = System.nanoTime() + this.timeout + CONNECTING.toNanos();
	}

	boolean isOverdue(long now) {
		return this.deadline - now <= 0;
	}

	/* From now on a driver carries it, which is to hear of a time-out. */
	void carriedBy(Carrier carrier) {
		this.carrier = carrier;
	}

	/*
	 * Nobody has answered in time. The driver hears first, so that what follows goes
	 * well.
	 */
	void timeOut() {
		Carrier carrier = this.carrier;
		boolean ended = false;
		try {
			if (carrier != null && !this.answer.isDone()) {
				carrier.unanswered(Duration.ofNanos(this.timeout));
			}
		}
		finally {
			ended = this.answer.completeExceptionally(this.sent
					? StoreFailures.noResponse(Duration.ofNanos(this.timeout)) : new TimeoutException(NOT_SENT));
		}
		if (ended && carrier != null) {
			carrier.cancel();
		}
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

	/* Answers whether it is still worth sending; from then on Redis may carry it out. */
	boolean send() {
		long now = System.nanoTime();
		if (this.deadline - now > this.timeout) {
			this.deadline = now + this.timeout;
		}
		this.sent = true;
		return !this.givenUp && !this.answer.isDone();
	}

	/* Ends it with what a driver brought. */
	void complete(@Nullable Object reply) {
		try {
			this.answer.complete(ScriptAnswers.texts(reply));
		}
		catch (IllegalStateException ex) {
			this.answer.completeExceptionally(ex);
		}
	}

	/* Ends it without an effect. */
	void notSent(Throwable reason) {
		this.sent = false;
		fail(reason);
	}

	/* Ends it; it may have had an effect if it was sent. */
	void fail(Throwable reason) {
		this.answer.completeExceptionally(reason);
	}

	/* Redis has said that it did not carry it out. */
	void unsend() {
		this.sent = false;
	}

	boolean isSent() {
		return this.sent;
	}

	/* What was not carried out yet never shall be. */
	void giveUp() {
		this.givenUp = true;
	}

	/**
	 * What a driver does with a call that had no answer in time.
	 */
	interface Carrier {

		/* The way it took may be broken. */
		void unanswered(Duration timeout);

		/* Nobody waits for its answer any more. */
		void cancel();

	}

}
