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
 * What was wrong once, here or elsewhere, or would be without a rule of the protocol.
 */
final class PlantedBugs {

	private static final List<PlantedBug> ALL = new ArrayList<>();

	static {
		errors();
		threads();
		time();
		tokens();
		turns();
		ends();
		shared();
		server();
	}

	private static final List<PlantedBug> OF_LEADERS = List
		.of(new PlantedBug("leader/Candidacy", "			this.news.revoked(current, reason, told);",
				"			this.around.delays()\n"
						+ "				.after(this.settings.lease(), () -> this.news.revoked(current, reason, told));",
				"a leader is told after the next one was"),
				new PlantedBug("leader/Term", "this.end == null || !this.parts.isEmpty() || this.releasing",
						"this.end == null || this.releasing", "an instance stands again while its old work runs"),
				new PlantedBug("leader/Candidacy", "				released = current.handle.closeAsync();",
						"				released = CompletableFuture.completedFuture(null);",
						"a term that was given up is renewed"),
				new PlantedBug("leader/Candidacy", "			this.around.locks().forsake(current.handle);", "",
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

	private static void errors() {
		plant("listener/ListenerQueue", "			news.accept(listener);\n		}\n		catch (Throwable ex)",
				"			news.accept(listener);\n		}\n		catch (VirtualMachineError ex)",
				"an observer that throws keeps a release from ending");
		plant("engine/Steps", "			guard.revert();", "			guard.size = 0;",
				"a step that fails leaves traces");
		plant("engine/Steps", "if (goesOnAfter(effect, ex)) {", "if (true) {", "an effect that fails is forgotten");
		plant("engine/Cohort", "		this.state = cohort.state;", "",
				"a hold that was never given stays after an error");
		plant("engine/WaitQueue", "			waiter.queued = true;\n			if (waiter.previous",
				"			if (waiter.previous", "who has left in a step that failed is not back");
		plant("engine/Callers", "				this.waiter.abandon(cause);", "",
				"a caller who has failed waits for ever");
		plant("engine/StoreCall", "			this.cohort.defer(this);", "", "an answer that can't be taken is lost");
	}

	private static void threads() {
		plant("engine/Completions", "			if (!this.workers.anyIdle() && !this.awaited) {",
				"			if (false) {", "a future is never complete where a thread can't be had");
		plant("engine/Completions", "more = Math.min(this.workers.size() / 2, MOST_AT_ONCE);", "more = 0;",
				"continuations that wait for others stop all");
		plant("listener/ListenerQueue", "			this.running.set(false);\n			// Guard",
				"			// Guard", "a listener whose thread has ended gets no other one");
		plant("engine/Watchdog", "						recover(ex);", "						over = true;",
				"an error ends the watchdog");
		plant("listener/ListenerQueue",
				"				var unused = Thread.interrupted();\n				this.threads.park(this, wait);",
				"				this.threads.park(this, wait);", "an interrupt has a listener's thread spin");
		plant("repeat/Repeats", "				this.wanted.run();", "", "a release that failed is not repeated");
		plant("engine/HandleOwners", "			interruption.end();\n		}\n	}", "		}\n	}",
				"an interrupt by a loss reaches what its thread does next");
		plant("engine/Waiter", "					interrupted = true;", "",
				"an interrupt while waiting is swallowed");
		plant("engine/Waiter",
				"this.start + 2 * this.terms.timeout().toNanos()\n				+ this.terms.trial().toNanos() + core",
				"this.start + core", "a caller hears too soon that the store does not answer");
		plant("engine/Attempt", "			call.giveUp();", "", "a caller waits behind a command without an answer");
	}

	private static void time() {
		plant("engine/Grant", "super(sent + terms.valid(), leaseEnd);",
				"super(cohort.core().now() + terms.valid() + terms.margin(), leaseEnd);",
				"a deadline counts from the answer, without a margin");
		plant("engine/Grant", "long deadline = sent + this.terms.valid();",
				"long deadline = core().now() + this.terms.valid() + this.terms.margin();",
				"an answer counts for the present, without a margin");
		plant("settings/LeaseLimits", "return length.minus(drift).minus", "return length.minus",
				"the deadline of a fixed lease has no margin for drift");
		plant("engine/Hold", "		if (this.grant.left(now) <= 0) {\n			// It was over",
				"		if (false) {\n			// It was over", "a late answer revives what was lost");
		plant("time/Clock", "before.gone + slept", "before.gone", "the sleep of a machine is not noticed");
		plant("engine/Terms", "return (long) (this.poll.toNanos() * (1 - JITTER + JITTER * chance));",
				"return (long) (this.poll.toNanos() * (1_000 - JITTER + JITTER * chance));", "nobody polls");
	}

	private static void tokens() {
		plant("engine/HandOffBudget", "return this.token < this.block.last();", "return true;",
				"tokens are given beyond their block");
		plant("engine/HandOffBudget", "		this.token++;", "", "a token is given twice");
	}

	private static void turns() {
		plant("engine/WaitQueue", "		return Objects.requireNonNull(this.head);",
				"		return Objects.requireNonNull(this.tail);", "who came last comes first");
		plant("engine/Attempt", "		else if (!isLeftByAll()) {\n			this.core.watchdog().set(this, sent",
				"		else {\n			this.core.watchdog().set(this, sent", "a try is refused a poll too late");
		plant("engine/Core", "this.attempts.incrementAndGet()", "this.attempts.get()",
				"the id of an attempt is used again");
		plant("engine/HandOffBudget", "this.left > 0 && now - this.since < MOST_TIME",
				"this.left > -1_600 && now - this.since < 100 * MOST_TIME",
				"others are passed for longer than they may be");
		plant("settings/EngineSettings", "(named != null) ? named : USUAL;", "USUAL;",
				"others are passed as often as usual, whatever is said of the name");
	}

	private static void ends() {
		plant("engine/Lifecycle", "return this.state.get() == State.OPEN;", "return true;",
				"a stopped engine lets callers in");
		plant("engine/Hold", "			undo(false);", "", "what was lost and is closed keeps its lease");
		plant("engine/HandOff", "new Attempt(this.cohort, this.core.nextAttempt(this.cohort.waiters().first().kind))",
				"new Attempt(this.cohort, this.grant.id())", "what was released is had and renewed again");
		plant("engine/HandleOwners", "(this.thread == null || !this.thread.isAlive())", "this.thread == null",
				"a lock is renewed for a thread that has died");
		plant("engine/Cohort",
				"!(awaited && state.isFor(waiters().first())) && state.giveUp();\n		if (ended) {\n"
						+ "			this.state = null;\n		}\n		if (awaited && mayJoin(core().now())) {",
				"state.giveUp();\n		if (ended) {\n			this.state = null;\n		}\n		if (false) {",
				"the first who gives up takes the attempt of all along");
		plant("engine/Handle", "boolean last = !this.hold.hasHandles() && this.hold.endIfHeld();",
				"boolean last = this.hold.endIfHeld();", "the first handle that is closed ends the hold");
		plant("engine/Release", "		this.cohort.afterwards(this.core.lifecycle()::end);", "",
				"an engine with nothing held does not stop");
	}

	private static void shared() {
		plant("engine/Readers", "		boolean left = this.open == 0;", "		boolean left = true;",
				"the first reader who goes ends the grant of all");
		plant("engine/Readers", "this.open == 0 && !this.released", "!this.released",
				"what one reader has lost is given back while others read");
		plant("engine/HandOff", "		this.grant.budget().share(readers);",
				"		if (readers != null) {\n			this.grant.budget().share(readers);\n		}",
				"readers come to a writer who has it after others who read");
		plant("engine/Cohort", "		this.shared = cohort.shared;", "",
				"a permit that was never given stays after an error");
		plant("engine/SharedGrant", "		this.cohort.unshare(this);", "", "a permit that is over is not forgotten");
		plant("store/AttemptId", "&& number < this.most;", "&& number <= this.most;", "there is a permit too many");
	}

	private static void server() {
		plant("memory/InMemoryKey",
				"		boolean own = record.isOf(command.attempt());\n		if (own && record.isLease()) {",
				"		boolean own = true;\n		if (own && record.isLease()) {", "anybody's release ends a lease");
		plant("memory/InMemoryQueue", "return this.poll + this.poll / 2;", "return 10_000 * this.poll;",
				"a reservation lasts for ever");
		plant("memory/InMemoryKey", "		long first = Math.max(last + 1, moment.micros());",
				"		long first = moment.micros();", "a block begins below tokens that were given");
	}

}
