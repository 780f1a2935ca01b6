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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.SimulatedEngine;
import io.github.watchdoglock.listener.SelectiveListener;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.HandOffRules;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * A simulated world: a few instances of a service, one server, the network between them,
 * and all events of half a minute. The same seed gives the same events.
 */
final class World {

	private static final long LONG = TimeUnit.SECONDS.toNanos(150);

	private static final long PULSE = TimeUnit.SECONDS.toNanos(1);

	/* The time for a release and for what it may have to wait for. */
	private static final long ENOUGH = TimeUnit.MILLISECONDS.toNanos(500);

	private static final double MAX_DRIFT = 0.0045;

	private final Draw draw;

	final Tally tally;

	final Scheduler scheduler;

	final Server server;

	final Faults faults = new Faults(this);

	final List<LockKey> keys;

	final Plan plan;

	private final BitSet left;

	final Leaders leaders;

	/** The maximum number of hand-offs, by the name of the key. */
	private final Map<String, Integer> handOffs;

	private final EngineSettings settings;

	final List<Instance> instances = new ArrayList<>();

	private final Instance[] current;

	private final List<Caller> callers = new ArrayList<>();

	private final List<Awaited> awaited = new ArrayList<>();

	private final List<String> trace;

	private int begun;

	private boolean ending;

	/** Whether a store has ever failed to answer. */
	boolean brokenPromise;

	private Checks checks;

	/* With the acts that are left out of the plan, and the trace, or null for none. */
	World(long seed, BitSet left, List<String> trace, Reserve reserve, Tally tally) {
		this.plan = new Plan(seed);
		this.draw = new Draw(~seed);
		this.left = left;
		this.leaders = new Leaders(this, seed);
		this.trace = trace;
		this.tally = tally;
		this.keys = this.plan.keys;
		this.scheduler = new Scheduler(this.draw, reserve);
		this.server = new Server(new Machine("server", this.scheduler, this.draw, speed(), this.tally));
		this.handOffs = handOffs(new Draw(seed + 1));
		this.settings = settings().withHandOffs(new HandOffRules(this.handOffs))
			.withCommitCheck(new TimeRules(commitCheck(new Draw(seed + 2)), Map.of()));
		// The last place is for a copy of another instance.
		this.current = new Instance[this.plan.instances + 1];
	}

	private double speed() {
		return 1 + MAX_DRIFT * (2 * this.draw.share() - 1);
	}

	private EngineSettings settings() {
		Duration timeout = (this.plan.length < 1_000) ? Duration.ofMillis(50) : null;
		Duration linger = this.draw.oneIn(2) ? Duration.ZERO
				: Duration.ofMillis(this.draw.between(1, this.plan.length));
		Duration longHold = this.draw.oneIn(3) ? Duration.ofMillis(this.plan.length) : null;
		return new EngineSettings(() -> "simulated", Duration.ofMillis(this.plan.length),
				Duration.ofMillis(this.plan.length), Duration.ofSeconds(1),
				new LeaseLimits(Duration.ofMillis(200), timeout, null), null, longHold, OnLoss.REPORT,
				!this.draw.oneIn(4), KeyRules.DEFAULT,
				linger.isZero() ? TimeRules.NONE : new TimeRules(linger, Map.of()), HandOffRules.DEFAULT,
				TimeRules.A_SECOND);
	}

	/* Uses a random sequence of its own, so that all other values do not change. */
	private static Map<String, Integer> handOffs(Draw draw) {
		List<Integer> most = List.of(0, 1, 3, HandOffRules.USUAL);
		return Map.of("key", draw.of(most), Wish.READ, draw.of(most), Wish.PERMITS, draw.of(most));
	}

	/* Likewise. */
	private Duration commitCheck(Draw draw) {
		return Duration.ofMillis(draw.of(List.of(-1L, 0L, this.plan.length / 10L, 1_000L)));
	}

	/*
	 * The seeded limit of hand-offs of a key while other instances are known to wait.
	 */
	int handOffs(LockKey key) {
		return this.handOffs.getOrDefault(key.name(), HandOffRules.USUAL);
	}

	/* Whether instances may keep idle leases. */
	boolean lingers() {
		return !this.settings.linger().equals(TimeRules.NONE);
	}

	/* The current instance in this place; null in the place of a copy without a copy. */
	Instance at(int place) {
		return this.current[place];
	}

	void begin(int place) {
		if (!this.ending) {
			begin(place, "i" + (this.begun + 1));
		}
	}

	/* Returns a second instance with the same ids. */
	Instance copy(Instance original) {
		Instance copy = begin(this.plan.instances, original.simulated.id());
		copy.simulated.useIdsOf(original.simulated);
		return copy;
	}

	private Instance begin(int place, String id) {
		this.begun++;
		String name = "i" + this.begun;
		Machine machine = new Machine(name, this.scheduler, this.draw, speed(), this.tally);
		Instance instance = new Instance(id, this.settings, machine,
				new Link(machine, this.server, this.draw, this.tally, longestBelief(), this::trace),
				new News(this.tally, this.draw.oneIn(6)));
		if (this.draw.oneIn(3)) {
			listenBadly(instance);
		}
		this.current[place] = instance;
		this.instances.add(instance);
		trace(name + " begins" + (id.equals(name) ? "" : " as a copy of " + id));
		this.leaders.begin(instance);
		return instance;
	}

	private void listenBadly(Instance instance) {
		instance.heard = 0;
		ErrorPoint.without(() -> instance.engine().addListener(new SelectiveListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				instance.heard++;
				misbehave(token);
			}

			@Override
			public void lost(LockLoss loss, Duration held) {
				misbehave(loss.token());
			}

			@Override
			public void released(LockKey key, long token, Duration held) {
				misbehave(token);
			}

			private void misbehave(long token) {
				World.this.tally.fault("listener threw");
				if (token % 2 == 0) {
					throw new AssertionError("on purpose");
				}
				throw new IllegalStateException("on purpose");
			}

		}));
	}

	/* Play the world from its beginning to its end. */
	void play() {
		ErrorPoint.forget();
		this.checks = new Checks(this);
		this.scheduler.checks = () -> ErrorPoint.without(() -> {
			this.checks.look();
			this.leaders.look();
		});
		for (int i = 0; i < this.plan.instances; i++) {
			begin(i);
		}
		for (int i = 0; i < this.plan.acts.size(); i++) {
			Act act = this.plan.acts.get(i);
			if (!this.left.get(i)) {
				this.scheduler.in(act.at(), null, () -> {
					trace(act.what());
					act.deed().accept(this);
				});
			}
		}
		this.leaders.plan(this.plan.instances, this.plan.end);
		pulse();
		this.scheduler.goOn(() -> this.scheduler.now > this.plan.end, LONG);
		ErrorPoint.arm(0);
		if (ErrorPoint.wasThrown()) {
			this.tally.fault("error inside");
		}
		this.scheduler.goOn(() -> false, TimeUnit.MILLISECONDS.toNanos(4 * this.plan.length));
		this.faults.end();
		trace("all goes well from now on");
		expect(() -> this.callers.stream().allMatch((caller) -> caller.isOver() || caller.isOfTheDead()),
				this::waiting);
		endLeaders();
		expect(() -> remains().isEmpty(), this::remains);
		expect(() -> untold().isEmpty(), this::untold);
		expect(() -> unheard().isEmpty(), this::unheard);
		expect(() -> pending().isEmpty(), this::pending);
		checkNews();
		stopAll();
		endAll();
	}

	/* By now an instance leads, and none leads after all have resigned. */
	private void endLeaders() {
		if (!this.brokenPromise) {
			expect(this.leaders::isLed, () -> "nobody leads");
		}
		List<CompletionStage<Void>> stopped = this.leaders.stopAll();
		expect(() -> stopped.stream().allMatch((each) -> each.toCompletableFuture().isDone()),
				() -> "an election does not stop");
	}

	/* No lock is held, so all engines stop at once. */
	private void stopAll() {
		List<? extends CompletableFuture<?>> stopped = this.instances.stream()
			.filter((instance) -> !instance.dead && !instance.closed)
			.map((instance) -> instance.engine().stop().toCompletableFuture())
			.toList();
		expect(() -> stopped.stream().allMatch(CompletableFuture::isDone), () -> "an engine does not stop");
	}

	/* Time continues even if nothing happens. */
	private void pulse() {
		this.scheduler.in(PULSE, null, this::pulse);
	}

	private void expect(BooleanSupplier condition, Supplier<String> otherwise) {
		if (!this.scheduler.goOn(() -> {
			boolean[] met = new boolean[1];
			ErrorPoint.without(() -> met[0] = condition.getAsBoolean());
			return met[0];
		}, LONG)) {
			throw new Violation(otherwise.get());
		}
	}

	private String waiting() {
		return "these wait for ever: "
				+ this.callers.stream().filter((caller) -> !caller.isOver() && !caller.isOfTheDead()).toList();
	}

	private String remains() {
		StringBuilder remains = new StringBuilder();
		for (Instance instance : this.instances) {
			String left = instance.dead ? "" : instance.simulated.remains(instance.closed);
			remains.append(left.isEmpty() ? "" : instance.machine.name + ":" + left + "; ");
		}
		for (LockKey key : this.keys) {
			if (this.server.owner(key) != 0) {
				remains.append(key).append(" is held; ");
			}
			if (this.server.isAwaited(key)) {
				remains.append(key).append(" is awaited; ");
			}
		}
		if (this.server.owner(Leaders.KEY) != 0) {
			remains.append("the role is led");
		}
		return remains.toString();
	}

	/*
	 * Holds whose end was not notified; an error during the notification may have lost
	 * one.
	 */
	private String untold() {
		if (this.brokenPromise || ErrorPoint.wasThrown()) {
			return "";
		}
		return this.instances.stream()
			.filter((instance) -> !instance.dead && !instance.closed)
			.map((instance) -> instance.news.open())
			.collect(Collectors.joining());
	}

	/* Listeners that have missed more than one notification because of the error. */
	private String unheard() {
		int missed = ErrorPoint.wasThrown() ? 1 : 0;
		return this.instances.stream()
			.filter((instance) -> !instance.dead && !instance.closed && instance.heard >= 0)
			.filter((instance) -> instance.heard < instance.news.begun() - missed)
			.map((instance) -> "the listener of " + instance.machine.name + " has heard of " + instance.heard
					+ " holds of " + instance.news.begun() + "; ")
			.collect(Collectors.joining());
	}

	/* Closes, and notifications of losses, that never complete. */
	private String pending() {
		return this.awaited.stream()
			.filter((awaited) -> !awaited.instance.dead && !awaited.instance.closed && !awaited.over.getAsBoolean())
			.map((awaited) -> awaited.instance.machine.name + ": " + awaited.what)
			.collect(Collectors.joining("; "));
	}

	private void checkNews() {
		for (Instance instance : this.instances) {
			String twice = instance.news.twice();
			if (!twice.isEmpty()) {
				throw new Violation(twice);
			}
		}
	}

	/*
	 * All threads end when their engines are closed, including those of killed instances.
	 */
	private void endAll() {
		trace("all close");
		this.ending = true;
		for (Instance instance : this.instances) {
			instance.machine.scantThreads = 0;
			instance.wake();
			if (!instance.closed) {
				this.scheduler.in(0, instance.machine, () -> close(instance));
			}
		}
		expect(() -> this.scheduler.threads.isEmpty(), () -> "these threads do not end: "
				+ this.scheduler.threads.stream().map((thread) -> thread.role).toList());
	}

	void close(Instance instance) {
		this.leaders.stop(instance);
		instance.closed = true;
		Instance.persist(() -> instance.engine().close());
		instance.shut = true;
	}

	Caller call(int place, Wish wish) {
		Instance instance = at(place);
		Caller caller = new Caller(this, instance, wish);
		this.callers.add(caller);
		instance.callers.add(caller);
		if (caller.isAsynchronous()) {
			this.scheduler.in(0, instance.machine, caller);
		}
		else {
			caller.thread = this.scheduler.start(instance.machine, "caller of " + instance.machine.name, caller);
		}
		return caller;
	}

	/* A user interrupts or cancels a caller. */
	void disturb(Caller caller) {
		if (caller.isOver()) {
			return;
		}
		if (caller.future != null) {
			this.tally.fault("future cancelled");
			trace(caller, "is cancelled");
			Instance.persist(() -> caller.future.cancel(false));
		}
		else if (caller.thread != null && !caller.over) {
			this.tally.fault("caller interrupted");
			trace(caller, "is interrupted");
			caller.thread.interruptedByUser = true;
			caller.thread.machine.interrupt(caller.thread);
		}
	}

	/* A user waits for a loss. */
	void watch(Caller caller, LockHandle handle) {
		CompletableFuture<LockLoss> told = handle.whenLost().toCompletableFuture();
		ErrorPoint.without(() -> {
			var unused = told.thenAccept((loss) -> trace(caller, "has lost it: " + loss.reason()));
			this.awaited.add(new Awaited(caller.instance, () -> handle.loss().isEmpty() || told.isDone(),
					"who waits for the loss of " + handle.key() + " is not told"));
		});
	}

	/* A user closes a handle without waiting for the result. */
	void close(Instance instance, LockHandle handle) {
		CompletableFuture<Void> closed = handle.closeAsync().toCompletableFuture();
		ErrorPoint.without(() -> this.awaited
			.add(new Awaited(instance, closed::isDone, "the closing of " + handle.key() + " does not end")));
	}

	/* A user waits for another future on a thread that completes futures. */
	void waitFor(Instance instance, LockRequest request) {
		SimulatedThread me = this.scheduler.current();
		if (me == null) {
			return;
		}
		CompletableFuture<LockHandle> other = instance.engine()
			.acquireAsync(request.withKey(LockKey.of("other")).withPermits(0).withMode(LockMode.WRITE));
		var unused = other.whenComplete((handle, ex) -> instance.machine.unpark(me.thread()));
		boolean interrupted = false;
		while (!other.isDone()) {
			instance.machine.park(other, Long.MAX_VALUE);
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			instance.machine.interrupt(me);
		}
		if (!other.isCompletedExceptionally()) {
			Instance.persist(other.join()::close);
		}
	}

	/* Whether any fault has happened because of which the store may fail. */
	boolean isTroubled() {
		return this.faults.troubled || ErrorPoint.wasThrown()
				|| this.instances.stream().anyMatch((instance) -> instance.link.timedOut);
	}

	/*
	 * A lease that was lost without a fault is released to the store when it is closed. A
	 * lease of readers is released with the last of them.
	 */
	void expectEnd(Instance instance, LockHandle handle) {
		if (handle.loss().isPresent() && instance.machine.scheduler.current().transaction == null) {
			this.scheduler.in(ENOUGH, null, () -> {
				if (!isTroubled() && this.server.isReliable(handle.key()) && !instance.closed
						&& !SimulatedEngine.kind(handle).equals(Kind.READ)
						&& this.server.isOwner(handle.key(), SimulatedEngine.firstToken(handle))) {
					this.scheduler.violated(instance.machine.name + " keeps the lease of " + handle.key()
							+ ", which was lost and closed");
				}
			});
		}
	}

	/* How long a holder may believe that it has a key that was taken away. */
	long longestBelief() {
		return TimeUnit.MILLISECONDS.toNanos(2 * Wish.MAX_LEASES * this.plan.length);
	}

	void arm(long point) {
		if (this.leaders.areThere()) {
			return;
		}
		ErrorPoint.arm(point);
	}

	/*
	 * A commit that was allowed under a lock, whose check had begun at a time, and before
	 * which the instance was last notified of a connection that was lost or opened.
	 */
	void committed(Instance instance, LockHandle handle, long start, long doubted) {
		long age = this.settings.commitCheck().of(handle.key());
		long since = Math.max(start - (long) (age * (1 + 2 * MAX_DRIFT)) - unnoticedSleep(instance), doubted);
		if (age >= 0 && this.server.confirmed(handle.key(), SimulatedEngine.firstToken(handle)) < since) {
			this.scheduler.violated("C1: " + instance.machine.name + " commits under " + handle.key()
					+ ", which the server has not confirmed since " + since);
		}
	}

	/* The state that a holder sees is true, whatever the clocks show. */
	void look(Instance instance, LockHandle handle) {
		this.checks.look(instance, handle);
	}

	long unnoticedSleep(Instance instance) {
		return Math.max(instance.machine.slept() - instance.simulated.noticedSleep(), 0);
	}

	/* The state of the world for readers of a violation. */
	void describe() {
		if (ErrorPoint.wasThrown()) {
			trace("the error was thrown at " + ErrorPoint.place());
		}
		ErrorPoint.without(() -> this.instances.forEach((instance) -> trace(
				instance.machine.name + (instance.dead ? " is dead" : instance.closed ? " is closed" : "")
						+ instance.simulated.remains(false))));
		this.scheduler.threads.forEach((thread) -> trace(thread.role + (thread.waits ? " waits" : " could run")));
	}

	private void trace(Supplier<String> line) {
		if (this.trace != null) {
			trace(line.get());
		}
	}

	void trace(String line) {
		if (this.trace != null) {
			this.trace.add(TimeUnit.NANOSECONDS.toMillis(this.scheduler.now) + " ms " + line);
		}
	}

	void trace(Caller caller, String line) {
		if (this.trace != null) {
			trace("caller " + this.callers.indexOf(caller) + " " + line);
		}
	}

	/**
	 * An operation that has to end.
	 *
	 * @param instance its instance
	 * @param over whether it has ended, or need not
	 * @param what the message if it has not
	 */
	private record Awaited(Instance instance, BooleanSupplier over, String what) {

	}

}
