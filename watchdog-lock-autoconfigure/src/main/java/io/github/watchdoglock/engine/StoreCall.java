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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BiConsumer;

import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * A command of a cohort to its store: sent after the step that has decided on it, and
 * answered in another one. Whatever fails on the way, there is an answer, and that is
 * taken once.
 *
 * @param <A> what the store answers
 */
abstract class StoreCall<A> extends Steps.Effect implements BiConsumer<@Nullable A, @Nullable Throwable>, Runnable {

	@SuppressWarnings("rawtypes")
	private static final AtomicIntegerFieldUpdater<StoreCall> HEARD = AtomicIntegerFieldUpdater
		.newUpdater(StoreCall.class, "heard");

	final Cohort cohort;

	/** By the clock, before it was sent. */
	long sent;

	private boolean begun;

	private volatile int heard;

	/** Rings where there is no answer, though one was promised. */
	private volatile @Nullable Overdue overdue;

	private @Nullable A answer;

	private @Nullable Throwable failure;

	/** Guarded by the cohort's lock. */
	private boolean ended;

	StoreCall(Cohort cohort) {
		this.cohort = cohort;
	}

	Core core() {
		return this.cohort.core();
	}

	/* Give it to the store. */
	abstract CompletionStage<A> send();

	/* What the answer changes besides what the key has now. */
	abstract Steps.@Nullable Revertible subject();

	/*
	 * How long its answer may take; zero where something else looks after that, as the
	 * alarms of attempts and grants do.
	 */
	long patience() {
		return 0;
	}

	/*
	 * Part of a step: one of answer and failure is there, unless the store breaks its
	 * promise.
	 */
	abstract void answered(@Nullable A answer, @Nullable Throwable failure);

	/* Send it; what comes back to the effects is an answer that could not be taken. */
	@Override
	void proceed() {
		if (this.begun) {
			take();
			return;
		}
		begin(core().nowNoticingSleep());
		try {
			await(send());
			expect();
		}
		catch (Throwable ex) {
			accept(null, ex);
		}
	}

	/* As long as the store may take, and as much again. */
	private void expect() {
		long patience = patience();
		if (patience > 0 && this.heard == 0) {
			Overdue alarm = new Overdue();
			this.overdue = alarm;
			core().watchdog().set(alarm, this.sent + 2 * patience + core().connecting());
			if (this.heard != 0) {
				core().watchdog().cancel(alarm);
			}
		}
	}

	/*
	 * Told twice, should an error keep it from hearing. A stage that was complete has
	 * told by now, unless even that has failed.
	 */
	void await(CompletionStage<A> stage) {
		CompletableFuture<A> told = stage.whenComplete(this).toCompletableFuture();
		if (this.heard == 0) {
			told = stage.whenComplete(this).toCompletableFuture();
		}
		if (told.isDone() && this.heard == 0) {
			accept(null, null);
		}
	}

	/* From now on its answer may come. */
	void begin(long now) {
		this.sent = now;
		this.begun = true;
	}

	@Override
	public void accept(@Nullable A answer, @Nullable Throwable failure) {
		if (!HEARD.compareAndSet(this, 0, 1)) {
			return;
		}
		this.answer = answer;
		this.failure = failure;
		try {
			Overdue alarm = this.overdue;
			if (alarm != null) {
				core().watchdog().cancel(alarm);
			}
			take();
		}
		catch (Throwable ex) {
			this.cohort.defer(this);
		}
	}

	private void take() {
		boolean ended = this.ended;
		try {
			this.cohort.change(subject(), this);
		}
		catch (Throwable ex) {
			this.ended = ended;
			throw ex;
		}
	}

	/* The step that takes the answer. */
	@Override
	public void run() {
		if (!this.ended) {
			answered(this.answer, this.failure);
			this.ended = true;
		}
	}

	private final class Overdue extends TimerWheel.Alarm {

		@Override
		public void proceed(long now) {
			accept(null, new OutcomeUnknownException("The store did not answer within its time-out", null));
		}

	}

}
