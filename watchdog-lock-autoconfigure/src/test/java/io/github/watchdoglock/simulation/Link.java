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

package io.github.watchdoglock.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.WakeUps;

/**
 * An instance's connection to the server with the faults of TCP: data arrives late, in
 * order, or not at all; a broken connection may have delivered data without confirmation.
 * Messages use another connection, and may get lost.
 */
final class Link implements LeaseStore, LeaseInspector, WakeUps {

	private static final long MAX_LATENCY = TimeUnit.MILLISECONDS.toNanos(20);

	/* The delay of answers that break the promise, in timeouts. */
	private static final int LATE = 3;

	private final Scheduler scheduler;

	private final Draw draw;

	private final Machine machine;

	private final Server server;

	private final Tally tally;

	/** How long a holder may not know that its key was taken by force. */
	private final long belief;

	private final Consumer<Supplier<String>> trace;

	private final Deque<Call<?>> requests = new ArrayDeque<>();

	private final Deque<Runnable> answers = new ArrayDeque<>();

	private final List<Call<?>> open = new ArrayList<>();

	/** The attempts that its instance has ended. */
	private final Set<AttemptId> released = new HashSet<>();

	/** The number of renewals of each lease, by its key and first token. */
	private final Map<String, Integer> renewals = new HashMap<>();

	/**
	 * The number of messages that a key was taken by force; each of them causes a
	 * renewal.
	 */
	private final Map<LockKey, Integer> forced = new HashMap<>();

	/** The ids of its instance from before it was restored. */
	private final Set<String> forbidden = new HashSet<>();

	/** Receives the messages. */
	private final Hints subscriber = subscriber();

	private Hints hints;

	private String instance;

	private boolean up = true;

	private int connection;

	private long lastRequest;

	private long lastAnswer;

	/** Whether everything that is sent is lost silently. */
	boolean silent;

	/** How many of the next commands the server rejects, and with which error. */
	int refusals;

	/** How many of the next commands have no answer, or an answer that is too late. */
	int unanswered;

	boolean answeredLate;

	Supplier<LockStoreException> refusal = () -> new LockStoreException("busy", null);

	/** Runs once a renewal is under way; null for nothing. */
	Runnable whenRenewing;

	/** When its instance was last notified of a connection that was lost or opened. */
	long doubted;

	/** Whether an answer has ever come too late. */
	boolean timedOut;

	/** One of this many messages is lost, or arrives twice or late; zero for none. */
	int unreliability;

	Link(Machine machine, Server server, Draw draw, Tally tally, long belief, Consumer<Supplier<String>> trace) {
		this.belief = belief;
		this.trace = trace;
		this.machine = machine;
		this.scheduler = machine.scheduler;
		this.server = server;
		this.draw = draw;
		this.tally = tally;
	}

	/* The number of renewals of a lease, without those after messages. */
	int renewals(LockKey key, long firstToken) {
		return this.renewals.getOrDefault(key + " " + firstToken, 0) - this.forced.getOrDefault(key, 0);
	}

	boolean hasReleased(AttemptId attempt) {
		return this.released.contains(attempt);
	}

	boolean isUp() {
		return this.up;
	}

	/* From now on, no command with an id of now may be sent: other copies know it. */
	void forbidPresentIds() {
		this.forbidden.add(this.instance);
	}

	private void lookAtId(AttemptId attempt, Object command) {
		if (this.forbidden.contains(attempt.instance())) {
			this.scheduler.violated(
					"I1: " + this.machine.name + " sends " + command + ", whose id is from before it was restored");
		}
	}

	/* An instance stops renewing before it releases. */
	private void lookAtEnd(RenewCommand command) {
		if (this.released.contains(command.attempt())) {
			this.scheduler.violated("I9: " + this.machine.name + " renews " + command.key() + " for "
					+ command.attempt() + ", which it has released");
		}
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		lookAtId(command.attempt(), command);
		return send(command, command.timeout(), () -> {
			AcquireAnswer answer = this.server.acquire(command);
			this.tally.acquire(answer);
			told(command, answer);
			return answer;
		});
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		List<CompletionStage<RenewAnswer>> answers = new ArrayList<>();
		for (RenewCommand command : commands) {
			lookAtId(command.attempt(), command);
			lookAtEnd(command);
			this.renewals.merge(command.key() + " " + command.firstToken(), 1, Integer::sum);
			answers.add(send(command, command.timeout(), () -> {
				RenewAnswer answer = this.server.renew(command);
				this.tally.renew(answer);
				told(command, answer);
				return answer;
			}));
		}
		Runnable whenRenewing = this.whenRenewing;
		if (whenRenewing != null) {
			this.whenRenewing = null;
			whenRenewing.run();
		}
		return answers;
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		lookAtId(command.attempt(), command);
		this.released.add(command.attempt());
		return send(command, command.timeout(), () -> {
			ReleaseAnswer answer = this.server.release(command);
			this.tally.release(command, answer);
			told(command, answer);
			return answer;
		});
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return send("find", timeout, () -> this.server.store.find(key, timeout).toCompletableFuture().join());
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return send("force", timeout, () -> {
			this.server.doubt(key, this.belief);
			return this.server.force(key, token, timeout);
		});
	}

	@Override
	public CompletionStage<List<LockState>> request(LockKey key, long token, Duration timeout) {
		return send("ask", timeout, () -> this.server.store.request(key, token, timeout).toCompletableFuture().join());
	}

	private void told(Object command, Object answer) {
		this.trace.accept(() -> this.machine.name + " " + command + " -> " + answer);
	}

	private long latency() {
		return this.draw.rarelyUpTo(MAX_LATENCY);
	}

	private <A> CompletableFuture<A> send(Object what, Duration timeout, Supplier<A> command) {
		this.trace.accept(() -> this.machine.name + " sends " + what + (this.up ? "" : " in vain"));
		if (!this.up) {
			return CompletableFuture.failedFuture(new NotConnectedException("Not connected", null));
		}
		if (this.unanswered > 0) {
			this.unanswered--;
			this.tally.fault(this.answeredLate ? "command answered late" : "command never answered");
			CompletableFuture<A> late = new CompletableFuture<>();
			if (this.answeredLate) {
				this.scheduler.in(LATE * timeout.toNanos(), this.machine, () -> late.complete(command.get()));
			}
			return late;
		}
		Call<A> call = new Call<>(this.connection, command);
		this.open.add(call);
		this.lastRequest = Math.max(this.lastRequest, this.scheduler.now + latency());
		if (this.silent) {
			this.tally.fault("connection silent");
		}
		else {
			this.requests.add(call);
			this.scheduler.in(this.lastRequest - this.scheduler.now, null, () -> serve(call.connection));
		}
		this.scheduler.in(this.machine.trueTime(timeout.toNanos()), this.machine, () -> timeOut(call));
		return call.answer;
	}

	private void serve(int connection) {
		if (!this.server.machine.runs()) {
			this.scheduler.in(0, this.server.machine, () -> serve(connection));
			return;
		}
		if (connection == this.connection && !this.requests.isEmpty()) {
			Call<?> call = this.requests.remove();
			if (this.refusals > 0) {
				this.refusals--;
				LockStoreException refusal = this.refusal.get();
				this.tally.fault(
						(refusal instanceof CommandRefusedException) ? "command refused for good" : "command refused");
				answer(() -> call.fail(refusal));
			}
			else {
				answer(call.run());
			}
		}
	}

	private void answer(Runnable answer) {
		if (this.silent) {
			this.tally.fault("connection silent");
			return;
		}
		int sent = this.connection;
		this.answers.add(answer);
		this.lastAnswer = Math.max(this.lastAnswer, this.scheduler.now + latency());
		this.scheduler.in(this.lastAnswer - this.scheduler.now, this.machine, () -> {
			if (sent == this.connection && !this.answers.isEmpty()) {
				this.answers.remove().run();
			}
		});
	}

	private void timeOut(Call<?> call) {
		if (!call.answer.isDone()) {
			this.tally.fault("command timed out");
			this.timedOut = true;
			call.fail(new OutcomeUnknownException("no answer in time", null));
			if (this.up && call.connection == this.connection && this.draw.oneIn(2)) {
				breakOff(this.draw.rarelyUpTo(TimeUnit.SECONDS.toNanos(1)));
			}
		}
	}

	void breakOff(long outage) {
		if (this.up) {
			cut(this::disconnected);
			if (outage >= 0) {
				reopen(outage);
			}
		}
	}

	/*
	 * The process was copied. It notices that its connections have ended, at once or
	 * later, and opens new ones.
	 */
	void copied(boolean later, Runnable noticed, long outage) {
		Runnable notice = () -> {
			this.doubted = this.scheduler.now;
			Instance.persist(this.hints::disconnected);
			noticed.run();
			reopen(outage);
		};
		cut(later ? () -> this.scheduler.in(this.draw.between(0, outage), this.machine, notice) : notice);
		deafen(-1);
	}

	private void reopen(long outage) {
		this.scheduler.in(outage, null, () -> {
			this.up = true;
			connected();
		});
	}

	/* A part of the data that was sent is still to be carried out, maybe much later. */
	private void cut(Runnable notification) {
		this.tally.fault("connection broken");
		this.up = false;
		this.silent = false;
		this.connection++;
		this.answers.clear();
		int delivered = this.draw.below(this.requests.size() + 1);
		Deque<Call<?>> late = new ArrayDeque<>();
		for (int i = 0; i < delivered; i++) {
			late.add(this.requests.remove());
		}
		this.requests.clear();
		long delay = this.draw.rarelyUpTo(TimeUnit.SECONDS.toNanos(8));
		for (int i = 0; i < delivered; i++) {
			this.scheduler.in(delay + i, null, () -> serveLate(late));
		}
		notification.run();
		List<Call<?>> failed = List.copyOf(this.open);
		this.open.clear();
		this.scheduler.in(0, this.machine,
				() -> failed.forEach((call) -> call.fail(new OutcomeUnknownException("Connection reset", null))));
	}

	private void serveLate(Deque<Call<?>> late) {
		if (this.server.machine.runs()) {
			this.tally.fault("command carried out after its connection");
			late.remove().run();
		}
		else {
			this.scheduler.in(0, this.server.machine, () -> serveLate(late));
		}
	}

	@Override
	public void subscribe(String instance, Hints hints) {
		this.instance = instance;
		this.hints = hints;
		listen();
	}

	void listen() {
		this.server.subscribe(this.instance, this.subscriber);
		subscribed();
	}

	private Hints subscriber() {
		return new Hints() {

			@Override
			public void granted(LockKey key, AttemptId attempt) {
				tell("granted", (hints) -> hints.granted(key, attempt));
			}

			@Override
			public void contended(LockKey key, AttemptId attempt, AttemptId by) {
				tell("contended", (hints) -> hints.contended(key, attempt, by));
			}

			@Override
			public void inUse(LockKey key, AttemptId attempt) {
				tell("in-use", (hints) -> hints.inUse(key, attempt));
			}

			@Override
			public void forced(LockKey key, AttemptId attempt) {
				tell("forced", (hints) -> {
					Link.this.forced.merge(key, 1, Integer::sum);
					hints.forced(key, attempt);
				});
			}

			@Override
			public void forceRequested(LockKey key, AttemptId attempt, long token) {
				tell("force", (hints) -> hints.forceRequested(key, attempt, token));
			}

			@Override
			public void resignRequested(LockKey key, AttemptId attempt) {
				tell("asked", (hints) -> hints.resignRequested(key, attempt));
			}

			@Override
			public void disconnected() {
				Link.this.disconnected();
			}

			@Override
			public void subscribed() {
				Link.this.subscribed();
			}

			@Override
			public void connected() {
				Link.this.connected();
			}

		};
	}

	/* A connection to another server is in use from now on. */
	void moved() {
		disconnected();
		connected();
	}

	/* These are not messages, so they are not lost. */
	private void disconnected() {
		deliver(0, (hints) -> {
			this.doubted = this.scheduler.now;
			hints.disconnected();
		});
	}

	private void connected() {
		deliver(0, (hints) -> {
			this.doubted = this.scheduler.now;
			hints.connected();
		});
	}

	private void subscribed() {
		deliver(0, Hints::subscribed);
	}

	/* No client is subscribed to its channel for a while. */
	void deafen(long nanos) {
		this.server.unsubscribe(this.instance, this.subscriber);
		if (nanos >= 0) {
			this.scheduler.in(nanos, null, this::listen);
		}
	}

	@Override
	public void unsubscribe(String instance) {
		this.server.unsubscribe(instance, this.subscriber);
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		if (this.up) {
			this.scheduler.in(latency(), null, () -> this.server.store.inUse(key, attempt));
		}
	}

	private void tell(String kind, Consumer<Hints> message) {
		this.tally.message(kind);
		this.trace.accept(() -> "message " + kind + " to " + this.machine.name);
		int fate = (this.unreliability > 0) ? this.draw.below(this.unreliability) : 3;
		if (fate == 0) {
			this.tally.fault("message lost");
			return;
		}
		deliver(latency(), message);
		if (fate == 1) {
			this.tally.fault("message doubled");
			deliver(latency(), message);
		}
		else if (fate == 2) {
			this.tally.fault("message late");
			deliver(this.draw.between(0, TimeUnit.SECONDS.toNanos(5)), message);
		}
	}

	private void deliver(long delay, Consumer<Hints> message) {
		this.scheduler.in(delay, this.machine, () -> {
			try {
				message.accept(this.hints);
			}
			catch (VirtualMachineError | LinkageError ex) {
				// As if Redis' client had called: the message is lost.
			}
		});
	}

	static LockStoreException refusedForGood() {
		return new CommandRefusedException("NOPERM", null);
	}

	/**
	 * A command under way.
	 */
	private final class Call<A> {

		private final CompletableFuture<A> answer = new CompletableFuture<>();

		private final int connection;

		private final Supplier<A> command;

		private Call(int connection, Supplier<A> command) {
			this.connection = connection;
			this.command = command;
		}

		/* Returns an action that delivers the answer. */
		private Runnable run() {
			A result = this.command.get();
			return () -> {
				Link.this.open.remove(this);
				this.answer.complete(result);
			};
		}

		private void fail(LockStoreException cause) {
			Link.this.trace.accept(() -> "a command of " + Link.this.machine.name + " failed: " + cause.getMessage());
			Link.this.open.remove(this);
			this.answer.completeExceptionally(cause);
		}

	}

}
