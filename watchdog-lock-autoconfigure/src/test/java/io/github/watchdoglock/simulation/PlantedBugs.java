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

import java.util.ArrayList;
import java.util.List;

/**
 * Bugs that existed once, here or elsewhere, or that a missing rule of the protocol would
 * cause.
 */
final class PlantedBugs {

	private static final List<PlantedBug> ALL = new ArrayList<>();

	static {
		turns();
		errors();
		threads();
		time();
		tokens();
		ends();
		shared();
		server();
		commits();
		copies();
	}

	private static final List<PlantedBug> OF_LEADERS = List.of(
			bug("leader", "termEnded", "notifyOfEnd(current, reason);",
					"this.context.delays().after(this.settings.lease(), () -> notifyOfEnd(current, reason));",
					"a leader is told after the next one was"),
			bug("leader", "release", "&& current.parts.isEmpty()", "",
					"an instance stands again while its old work runs"),
			bug("leader", "release", ".thenCompose(LockHandle::closeAsync)", ".thenApply((handle) -> (Void) null)",
					"a term that was given up is renewed"),
			bug("leader", "stopRenewing", "this.context.locks().stopRenewing(current.handle);", "",
					"a term is renewed for work that never ends"));

	private PlantedBugs() {
	}

	static List<PlantedBug> all() {
		return ALL;
	}

	static List<PlantedBug> ofLeaders() {
		return OF_LEADERS;
	}

	private static void plant(String area, String method, String expression, String wrong, String consequence) {
		ALL.add(bug(area, method, expression, wrong, consequence));
	}

	private static PlantedBug bug(String area, String method, String expression, String wrong, String consequence) {
		return new PlantedBug(new Anchor(area, method, expression), wrong, consequence);
	}

	private static void commits() {
		plant("engine", "isConfirmed", "&& !hold.lease.isDoubtful()", "",
				"a transaction is committed without a look at a store that was restarted");
		plant("engine", "isConfirmed", "hold.lease.times.confirmed() - since(maxAge, start, now) >= 0 &&", "",
				"a transaction is committed under a lock that was confirmed long ago");
		plant("engine", "await", "throw failure(open.get(0).key, timeout, occasion, cause);", "return;",
				"a transaction is committed although the store has not confirmed its lock");
		plant("engine", "noteConfirmation", "noteConfirmed(sent);", "noteConfirmed(context().now());",
				"a confirmation counts from its answer");
	}

	private static void copies() {
		plant("store", "renew", "this.instance = newInstance(this.unpredictable);", "",
				"a restored process keeps its ids");
		plant("store", "connected", "new AtomicLong(number())", "new AtomicLong(RANGE)",
				"numbers begin at the same one with each connection");
		plant("store", "release", "this.ids.isForeign(command.attempt())", "(this.ids == null)",
				"a restored process releases what it had before");
		plant("store", "acquire", "this.ids.isForeign(command.attempt())", "(this.ids == null)",
				"an attempt of a restored process continues");
	}

	private static void errors() {
		plant("listener", "dispatch", "notification.accept(listener); } catch (Throwable ex)",
				"notification.accept(listener); } catch (VirtualMachineError ex)",
				"an observer that throws keeps a release from ending");
		plant("engine", "KeyTasks.failed", "end();", "", "an error in a task leaves its key as it is");
		plant("engine", "processDue", "if (this.endCause != null) { end(); }", "",
				"an error on the way to a task does not end its key");
		plant("engine", "endState", "this.exclusive = null;", "", "a lease stays after an error has ended its key");
		plant("engine", "endState", "this.shared = List.of();", "", "a permit stays after an error has ended its key");
		plant("engine", "end", "this.endCause = null;", "", "a key that an error has ended never retires");
		plant("engine", "endState", "for (GrantedLease lease : leases()) { lease.abort(); }", "",
				"an error ends a key, and its leases are forgotten");
		plant("engine", "abort", "used |= hold.fail();", "used |= hold.isOpen();",
				"a hold that an error has ended is not reported");
		plant("engine", "abort", "used |= hold.fail();", "hold.fail();",
				"an error releases a lease whose holder may be working");
		plant("engine", "abort", "before.abort();", "",
				"a handle that was being closed when an error ended its key never ends that");
		plant("engine", "endState", "waiters().forEach((waiter) -> waiters().fail(waiter, failure));", "",
				"callers of a key that an error has ended do not fail");
		plant("engine", "end", "failed.abort(cause);", "", "a caller waits for a task that has failed");
		plant("engine", "abort", "lock.addAgain(this);", "", "a caller whose joining has failed is not notified");
		plant("engine", "end", "waiter.decide(outcome, this.tasks.mailbox); remove(waiter);",
				"remove(waiter); waiter.decide(outcome, this.tasks.mailbox);",
				"a caller leaves its key before it is notified");
		plant("engine", "undo", "this.waiter.abandon(cause);", "", "a caller that has failed waits indefinitely");
		plant("engine", "run", "cause != null && this.abandoned && handle != null", "false",
				"a caller that has failed keeps the lock that it was granted");
		plant("engine", "abort", "this.tasks.endCall(this);", "", "a key waits for a command whose answer has failed");
		plant("engine", "join", "lock.mailbox.requestCheck();", "",
				"a new key stays though its caller has failed to join it");
		plant("engine", "enqueue", "this.borrowed = borrowed;",
				"try { this.owner.threads().proceed(this); } catch (Throwable ex) { } if (IDLE != null) { return; }",
				"a task for which no thread could begin is forgotten");
		plant("engine", "run", "drain(); } catch (Throwable ex) { stall(ex);", "drain(); } catch (Throwable ex) {",
				"a mailbox whose thread has failed is not continued");
		plant("engine", "fire", "alarm.known = NEVER; set(alarm, now);", "",
				"an alarm that has failed is not fired again");
	}

	private static void threads() {
		plant("engine", "pool", "() -> pool[0].check()", "() -> { }",
				"a future is not completed if a thread cannot be started");
		plant("listener", "deliver", "this.size.decrementAndGet() > 0", "!this.notifications.isEmpty()",
				"a listener is notified by one thread only once");
		plant("engine", "run", "recover(ex);", "over = true;", "an error ends the watchdog");
		plant("listener", "add", "this.size.get() > capacity", "this.size.get() > 0",
				"a listener that is busy is not notified");
		plant("repeat", "change", "this.turnNeeded.run();", "", "a release that failed is not repeated");
		plant("engine", "afterLeaving", "interruption.end();", "",
				"an interrupt by a loss reaches what its thread does next");
		plant("engine", "run", "thread.interrupt();", "", "an interrupt is lost if its thread runs tasks");
		plant("engine", "await", "interrupted = true;", "", "an interrupt while waiting is lost");
		plant("engine", "timeToGiveUp", "+ 2 * this.timing.timeout().toNanos() + this.timing.trial().toNanos()", "",
				"a caller fails too soon because the store does not answer");
		plant("engine", "processDue", "call.overdue - now <= 0", "false",
				"a caller waits behind a command without an answer");
		plant("engine", "settle", "due = Alarm.earlier(due, call.overdue);", "",
				"a command without an answer has no alarm");
		plant("engine", "due", "for (GrantedLease lease : this.shared) { due = Alarm.earlier(due, lease.due()); }", "",
				"a shared lease has no alarm");
		plant("engine", "received", "this.sent = 0;", "", "an alarm is lost after the first time");
		plant("engine", "drained", "link(wheel);", "", "an alarm is lost if it has become due later");
	}

	private static void time() {
		plant("engine", "GrantedLease.<init>", "new LeaseTimes(timing, sent, leaseEnd,",
				"new LeaseTimes(timing, lock.tasks().context().now() + timing.margin(), leaseEnd,",
				"a deadline counts from the answer, without a margin");
		plant("engine", "GrantedLease.prolong", "prolong(sent, chance(sent));",
				"prolong(context().now() + timing().margin(), chance(sent));",
				"an answer counts for the present, without a margin");
		plant("settings", "valid", "length.minus(drift)", "length",
				"the deadline of a fixed lease has no margin for drift");
		plant("engine", "applyAnswer", "this.lease.left(now) <= 0", "false", "a late answer revives what was lost");
		plant("time", "compare", "before.gone + slept", "before.gone", "the sleep of a machine is not noticed");
		plant("engine", "pollInterval", "(1 - JITTER + JITTER * chance)", "(1_000 - JITTER + JITTER * chance)",
				"nobody polls");
	}

	private static void tokens() {
		plant("engine", "hasToken", "this.token < this.block.last()", "true", "tokens are given beyond their block");
		plant("engine", "pass", "this.token++;", "", "a token is given twice");
	}

	private static void turns() {
		plant("engine", "first", "this.waiters.getFirst()", "this.waiters.getLast()", "who came last comes first");
		plant("engine", "placed", "else if (!tellRefused()) {", "else {", "a try is refused a poll too late");
		plant("store", "next", "numbers.incrementAndGet()", "numbers.get()", "the id of an attempt is used again");
		plant("engine", "mayStay", "this.handOffsLeft > 0 && now - this.since < MAX_TIME",
				"this.handOffsLeft > -1_600 && now - this.since < 100 * MAX_TIME",
				"others are passed for longer than they may be");
		plant("settings", "of", "(named != null) ? named : USUAL", "USUAL",
				"others are passed as often as usual, whatever is said of the name");
	}

	private static void ends() {
		plant("engine", "isOpen", "this.state.get() == State.OPEN", "true", "a stopped engine admits callers");
		plant("engine", "closeLost", "undo(hold, false);", "", "a hold that was lost and is closed keeps its lease");
		plant("engine", "newAttemptInRelease", "context().ids.next(waiters().first().kind)", "this.exclusive.id()",
				"a lease that was released is held and renewed again");
		plant("engine", "endIfAbandoned", "&& owner.thread.isAlive()", "",
				"a lock is renewed for a thread that has died");
		plant("engine", "reconsiderAttempt", """
				!(awaited && attempt.isFor(waiters().first()));
				if (attempt != null && ended) {
					attempt.giveUp();
					this.attempt = null;
				}
				if (awaited && this.attempt == null) {""", """
				true;
				if (attempt != null && ended) {
					attempt.giveUp();
					this.attempt = null;
				}
				if (false) {""", "the first caller that gives up ends the attempt of all callers");
		plant("engine", "isUnused", "count(word, OPEN) == 0", "true", "the first handle that is closed ends the hold");
		plant("engine", "leave", "this.holds = KeyTasks.without(this.holds, hold);", "",
				"a hold stays on its lease after it was closed");
		plant("engine", "lose", "hold.lose(reason, before);", "", "a hold survives its lease");
		plant("engine", "begin", "HandOff.after(lease, closing, now);",
				"HandOff.after(lease, closing, now); HandOff.after(lease, closing, now);", "a lease is released twice");
		plant("engine", "release",
				"while ((before & STATE) == HELD) { if (WORD.compareAndSet(this, before, before + RELEASED)) {",
				"while (before >= 0) { if (WORD.compareAndSet(this, before, (before & ~STATE) | RELEASED)) {",
				"a lease that was lost is released as well");
		plant("engine", "leaseEnded", "this.exclusive = null;", "", "a lease survives its end");
		plant("engine", "onIdle", "this.keys.remove(this);", "", "a key that has retired stays");
		plant("engine", "onIdle", "!this.retired && !hasState()", "false",
				"a key that is not used any more never retires");
		plant("engine", "countOut", "if (!this.completed) { this.context.lifecycle.end();", "if (!this.completed) {",
				"an engine with no lock held does not stop");
	}

	private static void shared() {
		plant("engine", "begin", "if (lease.holds().isEmpty()) {", "if (true) {",
				"the first reader who goes ends the grant of all");
		plant("engine", "lose", "boolean last = rest.isEmpty();", "boolean last = true;",
				"a reader that is lost alone ends the grant of all");
		plant("engine", "closeLost", "this.lease.holds().isEmpty() &&", "",
				"what one reader has lost is given back while others read");
		plant("engine", "prepareNextHold", "this.readers = readers;",
				"this.readers = (readers != null) ? readers : this.readers;",
				"readers come to a writer who has it after others who read");
		plant("engine", "leaseEnded", "this.shared = without(this.shared, lease);", "",
				"a permit that is over is not forgotten");
		plant("store", "joins", "number < this.most", "number <= this.most", "there is a permit too many");
	}

	private static void server() {
		plant("memory", "release", "InMemoryHolder.find(this.key.holders, command.attempt())",
				"this.key.holders.isEmpty() ? null : this.key.holders.get(0)", "anybody's release ends a lease");
		plant("memory", "claim", "this.poll + this.poll / 2", "10_000 * this.poll", "a reservation lasts for ever");
		plant("memory", "nextBlock", "Math.max(this.key.last + 1, this.micros)", "this.micros",
				"a block begins below tokens that were given");
	}

}
