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
import io.github.watchdoglock.store.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * A command of a key to the store. Its answer is a task of the key. There is always one
 * answer: if the store breaks its promise to give one, the key stops waiting for it.
 *
 * @param <A> the type of the answer
 */
abstract class StoreCall<A> extends KeyTasks.Unanswered implements BiConsumer<@Nullable A, @Nullable Throwable> {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<StoreCall> ANSWERED = AtomicIntegerFieldUpdater
		.newUpdater(StoreCall.class, "answered");

	final KeyTasks tasks;

	final EngineContext context;

	/**
	 * The time on the clock before it was sent. For a renewal in its turn, the watchdog
	 * sets it again outside of the key's tasks. A task that sees the earlier time asks
	 * once more, or stops repeating a release sooner.
	 */
	long sent;

	private volatile int answered;

	private @Nullable A answer;

	private @Nullable Throwable failure;

	StoreCall(KeyTasks tasks) {
		this.tasks = tasks;
		this.context = tasks.context();
	}

	/*
	 * Called by any thread: whether the store has answered, or the key does not wait for
	 * the answer any more.
	 */
	boolean isAnswered() {
		return this.answered != 0;
	}

	abstract Command kind();

	/* Send it to the store. */
	abstract CompletionStage<A> ask();

	/* How long its answer may take, in nanoseconds. */
	abstract long timeout();

	/*
	 * Called within a task. Either the answer or the failure is given, unless the store
	 * has delivered neither.
	 */
	abstract void answered(@Nullable A answer, @Nullable Throwable failure);

	/* Called within a task. */
	void send() {
		begin(this.context.nowNoticingSleep());
		await(this::ask);
	}

	/* Called within a task, after the key had stopped waiting for the answer. */
	void answeredLate(A answer) {
	}

	/* Called within a task. The command is sent now, or in the watchdog's turn. */
	void begin(long now) {
		this.sent = now;
		this.overdue = now + 2 * timeout() + this.context.connecting();
		this.tasks.expectAnswer(this);
	}

	/* If the store throws, this is its answer. */
	void await(Supplier<CompletionStage<A>> stage) {
		try {
			var unused = stage.get().whenComplete(this);
		}
		catch (Throwable ex) {
			accept(null, ex);
		}
	}

	@Override
	void stopWaiting() {
		accept(null, new OutcomeUnknownException("The store did not answer within its timeout", null));
	}

	@Override
	public void accept(@Nullable A answer, @Nullable Throwable failure) {
		if (this.answered == 0 && ANSWERED.compareAndSet(this, 0, 1)) {
			this.answer = answer;
			this.failure = failure;
			try {
				this.tasks.mailbox.executeBriefly(this);
			}
			catch (Throwable ex) {
				// The answer is lost: the key will stop waiting for it.
				this.answered = 0;
				throw ex;
			}
		}
		else if (answer != null) {
			this.tasks.run(() -> answeredLate(answer));
		}
	}

	@Override
	void run() {
		this.tasks.endCall(this);
		this.context.commandEnded(kind(), this.sent, this.failure);
		this.context.contact.commandEnded(this.sent, timeout(), this.failure);
		answered(this.answer, this.failure);
	}

	/* Its key does not wait for it any more. */
	@Override
	void abort(Throwable cause) {
		this.tasks.endCall(this);
	}

}
