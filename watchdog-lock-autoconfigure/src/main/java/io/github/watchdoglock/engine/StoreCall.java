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

package io.github.watchdoglock.engine;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.watchdoglock.listener.EngineObserver.Command;
import org.jspecify.annotations.Nullable;

/**
 * A command of a key to the store. Its answer is a task of the key. There is always one
 * answer: if the store breaks its promise to give one, the key gives up waiting for it.
 *
 * @param <A> what the store answers
 */
abstract class StoreCall<A> extends Mailbox.Task implements BiConsumer<@Nullable A, @Nullable Throwable> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<StoreCall> ANSWERED = AtomicIntegerFieldUpdater
		.newUpdater(StoreCall.class, "answered");

	final LocalLock lock;

	final Core core;

	/** By the clock, before it was sent. */
	long sent;

	/** When the store has broken its promise. */
	long overdue;

	private volatile int answered;

	private @Nullable A answer;

	private @Nullable Throwable failure;

	StoreCall(LocalLock lock) {
		this.lock = lock;
		this.core = lock.core;
	}

	/* By any thread: the store has answered, or the key does not wait for that. */
	boolean isAnswered() {
		return this.answered != 0;
	}

	abstract Command kind();

	/* Give it to the store. */
	abstract CompletionStage<A> ask();

	/* How long its answer may take, in nanoseconds. */
	abstract long timeout();

	/*
	 * Part of a task: one of answer and failure is there, unless the store has neither.
	 */
	abstract void answered(@Nullable A answer, @Nullable Throwable failure);

	/* Part of a task. */
	void send() {
		begin(this.core.nowNoticingSleep());
		await(this::ask);
	}

	/* Part of a task: the key has waited for that no longer. */
	void answeredLate(A answer) {
	}

	/* Part of a task: it is sent now, or in the turn of the watchdog. */
	void begin(long now) {
		this.sent = now;
		this.overdue = now + 2 * timeout() + this.core.connecting();
		this.lock.expectAnswer(this);
	}

	/* A store that throws has answered with that. */
	void await(Supplier<CompletionStage<A>> stage) {
		try {
			var unused = stage.get().whenComplete(this);
		}
		catch (Throwable ex) {
			accept(null, ex);
		}
	}

	@Override
	public void accept(@Nullable A answer, @Nullable Throwable failure) {
		if (this.answered == 0 && ANSWERED.compareAndSet(this, 0, 1)) {
			this.answer = answer;
			this.failure = failure;
			try {
				this.lock.mailbox.executeBriefly(this);
			}
			catch (Throwable ex) {
				// The answer is lost: the key gives up waiting for it.
				this.answered = 0;
				throw ex;
			}
		}
		else if (answer != null) {
			this.lock.run(() -> answeredLate(answer));
		}
	}

	@Override
	void run() {
		this.lock.endCall(this);
		this.core.commandEnded(kind(), this.sent, this.failure);
		answered(this.answer, this.failure);
	}

	/* Its key waits for it no longer. */
	@Override
	void abort(Throwable cause) {
		this.lock.endCall(this);
	}

}
