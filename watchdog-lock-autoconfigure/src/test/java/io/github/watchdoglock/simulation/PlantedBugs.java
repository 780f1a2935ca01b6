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
			new PlantedBug("leader/Candidacy", "		notifyOfEnd(current, reason);",
					"		this.context.delays().after(this.settings.lease(), () -> notifyOfEnd(current, reason));",
					"a leader is told after the next one was"),
			new PlantedBug("leader/Candidacy", " && this.term == current && current.parts.isEmpty()",
					" && this.term == current", "an instance stands again while its old work runs"),
			new PlantedBug("leader/Candidacy", ".thenCompose(LockHandle::closeAsync)",
					".thenApply((handle) -> (Void) null)", "a term that was given up is renewed"),
			new PlantedBug("leader/Candidacy", "			this.context.locks().stopRenewing(current.handle);", "",
					"a term is renewed for work that never ends"));

	private PlantedBugs() {
	}

	static List<PlantedBug> all() {
		return ALL;
	}

	static List<PlantedBug> ofLeaders() {
		return OF_LEADERS;
	}

	private static void plant(String type, String line, String wrong, String consequence) {
		ALL.add(new PlantedBug(type, line, wrong, consequence));
	}

	private static void commits() {
		plant("engine/Confirmations", " && !hold.lease.isDoubtful()", "",
				"a transaction is committed without a look at a store that was restarted");
		plant("engine/Confirmations", "hold.lease.confirmed() - since(maxAge, start, now) >= 0 && ", "",
				"a transaction is committed under a lock that was confirmed long ago");
		plant("engine/Confirmations", "throw failure(open.get(0).key, timeout, occasion, cause);", "return;",
				"a transaction is committed although the store has not confirmed its lock");
		plant("engine/GrantedLease", "		if (sent - this.confirmed > 0) {\n			this.confirmed = sent;",
				"		if (sent - this.confirmed > 0) {\n			this.confirmed = core().now();",
				"a confirmation counts from its answer");
	}

	private static void copies() {
		plant("store/AttemptIds", "		this.instance = newInstance(this.unpredictable);\n", "",
				"a restored process keeps its ids");
		plant("store/AttemptIds", "new AtomicLong(number())", "new AtomicLong(RANGE)",
				"numbers begin at the same one with each connection");
		plant("store/OwnAttempts",
				"		return this.ids.isForeign(command.attempt())\n				? CompletableFuture.failedFuture(",
				"		return (this.ids == null)\n				? CompletableFuture.failedFuture(",
				"a restored process releases what it had before");
		plant("store/OwnAttempts",
				"		return this.ids.isForeign(command.attempt()) ? CompletableFuture.completedFuture(new AcquireAnswer",
				"		return (this.ids == null) ? CompletableFuture.completedFuture(new AcquireAnswer",
				"an attempt of a restored process continues");
	}

	private static void errors() {
		plant("listener/ListenerQueue",
				"			notification.accept(listener);\n		}\n		catch (Throwable ex)",
				"			notification.accept(listener);\n		}\n		catch (VirtualMachineError ex)",
				"an observer that throws keeps a release from ending");
		plant("engine/LocalLock", "		this.failure = cause;\n		end(cause);\n", "",
				"an error in a task leaves its key as it is");
		plant("engine/LocalLock", "		if (failure != null) {\n			end(failure);\n		}\n", "",
				"an error on the way to a task does not end its key");
		plant("engine/LocalLock", "		this.exclusive = null;\n		this.shared = List.of();\n",
				"		this.shared = List.of();\n", "a lease stays after an error has ended its key");
		plant("engine/LocalLock", "		this.exclusive = null;\n		this.shared = List.of();\n",
				"		this.exclusive = null;\n", "a permit stays after an error has ended its key");
		plant("engine/LocalLock", "		this.failure = null;\n		core().reportEnded", "		core().reportEnded",
				"a key that an error has ended never retires");
		plant("engine/LocalLock", "		for (GrantedLease lease : leases()) {\n			lease.abort();\n		}\n",
				"", "an error ends a key, and its leases are forgotten");
		plant("engine/GrantedLease", "			used |= hold.fail();", "			used |= hold.isOpen();",
				"a hold that an error has ended is not reported");
		plant("engine/GrantedLease", "			used |= hold.fail();", "			hold.fail();",
				"an error releases a lease whose holder may be working");
		plant("engine/GrantedLease", "			before.abort();\n", "",
				"a handle that was being closed when an error ended its key never ends that");
		plant("engine/LocalLock", "		waiters().forEach((waiter) -> waiters().fail(waiter, failure));\n", "",
				"callers of a key that an error has ended do not fail");
		plant("engine/LocalLock", "			failed.abort(cause);\n", "", "a caller waits for a task that has failed");
		plant("engine/Waiter", "			lock.waiters().add(this);\n", "",
				"a caller whose joining has failed is not notified");
		plant("engine/WaitQueue", "		waiter.decide(outcome, this.lock);\n		remove(waiter);",
				"		remove(waiter);\n		waiter.decide(outcome, this.lock);",
				"a caller leaves its key before it is notified");
		plant("engine/Callers", "				this.waiter.abandon(cause);", "",
				"a caller that has failed waits indefinitely");
		plant("engine/Waiter", "if (cause != null && this.abandoned && handle != null) {", "if (false) {",
				"a caller that has failed keeps the lock that it was granted");
		plant("engine/StoreCall", "	void abort(Throwable cause) {\n		this.lock.endCall(this);\n",
				"	void abort(Throwable cause) {\n", "a key waits for a command whose answer has failed");
		plant("engine/LockRegistry", "		lock.mailbox.requestCheck();\n", "",
				"a new key stays though its caller has failed to join it");
		plant("engine/Mailbox", "this.borrowed = borrowed;",
				"try { this.owner.threads().proceed(this); } catch (Throwable ex) { }\n			if (IDLE != null) { return; }",
				"a task for which no thread could begin is forgotten");
		plant("engine/Mailbox", "drain();\n			}\n			catch (Throwable ex) {\n				stall();",
				"drain();\n			}\n			catch (Throwable ex) {\n",
				"a mailbox whose thread has failed is not continued");
		plant("engine/Watchdog", "			alarm.known = NEVER;\n			set(alarm, now);\n", "",
				"an alarm that has failed is not fired again");
	}

	private static void threads() {
		plant("engine/Core", "delayedTrigger(POOL_CHECK_DELAY, () -> pool[0].check());",
				"delayedTrigger(POOL_CHECK_DELAY, () -> {\n		});",
				"a future is not completed if a thread cannot be started");
		plant("listener/ListenerQueue", "while (this.size.decrementAndGet() > 0);",
				"while (!this.notifications.isEmpty());", "a listener is notified by one thread only once");
		plant("engine/Watchdog", "					recover(ex);", "					over = true;",
				"an error ends the watchdog");
		plant("listener/ListenerQueue", "if (this.size.get() > capacity) {", "if (this.size.get() > 0) {",
				"a listener that is busy is not notified");
		plant("repeat/Repeats", "				this.turnNeeded.run();", "", "a release that failed is not repeated");
		plant("engine/Hold", "			interruption.end();\n		}\n	}", "		}\n	}",
				"an interrupt by a loss reaches what its thread does next");
		plant("engine/Mailbox", "				thread.interrupt();\n				HIDDEN", "				HIDDEN",
				"an interrupt is lost if its thread runs tasks");
		plant("engine/Waiter", "					interrupted = true;", "", "an interrupt while waiting is lost");
		plant("engine/Waiter",
				"this.start + 2 * this.timing.timeout().toNanos()\n				+ this.timing.trial().toNanos() + Math",
				"this.start + Math", "a caller fails too soon because the store does not answer");
		plant("engine/LocalLock", "			if (call.overdue - now <= 0) {", "			if (false) {",
				"a caller waits behind a command without an answer");
		plant("engine/LocalLock", "due = Alarm.earlier(due, call.overdue);", "",
				"a command without an answer has no alarm");
		plant("engine/LocalLock",
				"		for (GrantedLease lease : this.shared) {\n			due = Alarm.earlier(due, lease.due());\n		}\n",
				"", "a shared lease has no alarm");
		plant("engine/Alarm", "			this.sent = 0;\n", "", "an alarm is lost after the first time");
		plant("engine/Alarm", "due - now > 0) {\n			link(wheel);", "due - now > 0) {",
				"an alarm is lost if it has become due later");
	}

	private static void time() {
		plant("engine/GrantedLease", "		this.deadline = sent + timing.valid();",
				"		this.deadline = core().now() + timing.valid() + timing.margin();",
				"a deadline counts from the answer, without a margin");
		plant("engine/GrantedLease", "long deadline = sent + this.timing.valid();",
				"long deadline = core().now() + this.timing.valid() + this.timing.margin();",
				"an answer counts for the present, without a margin");
		plant("settings/LeaseLimits", "return length.minus(drift).minus", "return length.minus",
				"the deadline of a fixed lease has no margin for drift");
		plant("engine/GrantedLease", "		else if (left(now) <= 0) {\n			// It had expired",
				"		else if (false) {\n			// It had expired", "a late answer revives what was lost");
		plant("time/Clock", "before.gone + slept", "before.gone", "the sleep of a machine is not noticed");
		plant("engine/LeaseTiming", "return (long) (this.poll.toNanos() * (1 - JITTER + JITTER * chance));",
				"return (long) (this.poll.toNanos() * (1_000 - JITTER + JITTER * chance));", "nobody polls");
	}

	private static void tokens() {
		plant("engine/HandOffBudget", "return this.token < this.block.last();", "return true;",
				"tokens are given beyond their block");
		plant("engine/HandOffBudget", "		this.token++;", "", "a token is given twice");
	}

	private static void turns() {
		plant("engine/WaitQueue", "this.waiters.getFirst()", "this.waiters.getLast()", "who came last comes first");
		plant("engine/Attempt", "		else if (!notifyRefused()) {\n			this.due = sent",
				"		else {\n			this.due = sent", "a try is refused a poll too late");
		plant("store/AttemptIds", "numbers.incrementAndGet()", "numbers.get()", "the id of an attempt is used again");
		plant("engine/HandOffBudget", "this.left > 0 && now - this.since < MOST_TIME",
				"this.left > -1_600 && now - this.since < 100 * MOST_TIME",
				"others are passed for longer than they may be");
		plant("settings/EngineSettings", "(named != null) ? named : USUAL;", "USUAL;",
				"others are passed as often as usual, whatever is said of the name");
	}

	private static void ends() {
		plant("engine/Lifecycle", "return this.state.get() == State.OPEN;", "return true;",
				"a stopped engine admits callers");
		plant("engine/GrantedLease", "			undo(hold, false);", "",
				"a hold that was lost and is closed keeps its lease");
		plant("engine/HandOff", "new Attempt(this.lock, this.core.ids.next(this.lock.waiters().first().kind),",
				"new Attempt(this.lock, this.lease.id(),", "a lease that was released is held and renewed again");
		plant("engine/Hold", "owner != null && owner.thread.isAlive();", "owner != null;",
				"a lock is renewed for a thread that has died");
		plant("engine/LocalLock", """
				!(awaited && attempt.isFor(waiters().first()));
						if (attempt != null && ended) {
							attempt.giveUp();
							this.attempt = null;
						}
						if (awaited && (this.attempt == null || isLeased())) {""", """
				true;
						if (attempt != null && ended) {
							attempt.giveUp();
							this.attempt = null;
						}
						if (false) {""", "the first caller that gives up ends the attempt of all callers");
		plant("engine/Hold", "return count(word, OPEN) == 0;", "return true;",
				"the first handle that is closed ends the hold");
		plant("engine/GrantedLease", "			this.predecessor = closing;\n			remove(hold);",
				"			this.predecessor = closing;", "a hold stays on its lease after it was closed");
		plant("engine/GrantedLease", "		hold.lose(reason, before);\n		remove(hold);", "		remove(hold);",
				"a hold survives its lease");
		plant("engine/GrantedLease", "				HandOff.after(this, closing, now);\n",
				"				HandOff.after(this, closing, now);\n				HandOff.after(this, closing, now);\n",
				"a lease is released twice");
		plant("engine/Hold",
				"		while ((before & STATE) == HELD) {\n"
						+ "			if (WORD.compareAndSet(this, before, before + RELEASED)) {",
				"		while (before >= 0) {\n			if (WORD.compareAndSet(this, before, (before & ~STATE) | RELEASED)) {",
				"a lease that was lost is released as well");
		plant("engine/LocalLock", "			this.exclusive = null;\n			this.attempt = next;",
				"			this.attempt = next;", "a lease survives its end");
		plant("engine/LocalLock", "			this.registry.remove(this);", "", "a key that has retired stays");
		plant("engine/LocalLock", "if (!this.retired && isUnused()) {", "if (false) {",
				"a key that is not used any more never retires");
		plant("engine/Closing", "			this.core.lifecycle.end();\n			this.completed = true;",
				"			this.completed = true;", "an engine with no lock held does not stop");
	}

	private static void shared() {
		plant("engine/Readers", "		boolean left = this.lease.holds().isEmpty();", "		boolean left = true;",
				"the first reader who goes ends the grant of all");
		plant("engine/Readers", "this.lease.holds().isEmpty() && !this.released", "!this.released",
				"what one reader has lost is given back while others read");
		plant("engine/GrantedLease", "			this.readers = readers;",
				"			this.readers = (readers != null) ? readers : this.readers;",
				"readers come to a writer who has it after others who read");
		plant("engine/LocalLock", "			this.shared = without(this.shared, lease);", "",
				"a permit that is over is not forgotten");
		plant("store/AttemptId", "&& number < this.most;", "&& number <= this.most;", "there is a permit too many");
	}

	private static void server() {
		plant("memory/InMemoryTransaction",
				"		InMemoryHolder mine = InMemoryHolder.find(this.key.holders, command.attempt());",
				"		InMemoryHolder mine = this.key.holders.isEmpty() ? null : this.key.holders.get(0);",
				"anybody's release ends a lease");
		plant("memory/InMemoryPlace", "return this.poll + this.poll / 2;", "return 10_000 * this.poll;",
				"a reservation lasts for ever");
		plant("memory/InMemoryTransaction", "		long first = Math.max(this.key.last + 1, this.micros);",
				"		long first = this.micros;", "a block begins below tokens that were given");
	}

}
