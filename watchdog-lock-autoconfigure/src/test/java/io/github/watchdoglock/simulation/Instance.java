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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.engine.SimulatedEngine;
import io.github.watchdoglock.engine.SimulatedEngine.SeenHold;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * An instance of the service: an engine on a machine, with its connection to the server.
 */
final class Instance {

	final Machine machine;

	final Link link;

	final SimulatedEngine simulated;

	final News news;

	/** Callers that may have a hold. */
	final List<Caller> callers = new ArrayList<>();

	/** Whether the instance was killed, so that its state does not matter any more. */
	boolean dead;

	/** When the instance continued after its last pause. */
	long running;

	private long noticed;

	/** Whether it was closed by its application. */
	boolean closed;

	/** How often its engine was opened again. */
	int openings;

	/** Whether its engine was stopped and not opened again. */
	boolean shut;

	/** How many holds its listener was notified of; negative if it has no listener. */
	long heard = -1;

	/** Whether its store has ever failed to answer. */
	boolean brokenPromise;

	/** Whether the error was thrown in it. */
	boolean hasFailed;

	Instance(String id, EngineSettings settings, Machine machine, Link link, News news) {
		this.machine = machine;
		this.link = link;
		this.news = news;
		SimulatedEngine[] made = new SimulatedEngine[1];
		ErrorPoint.without(() -> made[0] = new SimulatedEngine(settings, id, machine, machine, machine, link, link,
				link, this.news));
		this.simulated = made[0];
		ErrorPoint.without(() -> engine().customizations().closeAfterTransactions(this::keep));
	}

	private boolean keep(LockHandle handle) {
		SimulatedThread thread = this.machine.scheduler.current();
		return thread != null && thread.transaction != null && thread.transaction.add(handle);
	}

	LockEngine engine() {
		return this.simulated.engine();
	}

	/* Time that its clock catches up at once is not waiting time. */
	void noticeJump() {
		long noticed = this.simulated.noticedSleep();
		if (noticed != this.noticed) {
			this.noticed = noticed;
			this.running = this.machine.scheduler.now;
		}
	}

	/*
	 * Whether the attempt belongs to this instance, or a copy of it that was not
	 * restored.
	 */
	boolean has(AttemptId attempt) {
		return attempt.instance().equals(this.simulated.id());
	}

	/* Whether there is still a caller that will close the hold, or shares its lease. */
	boolean isOwned(SeenHold seen) {
		this.callers.removeIf(Caller::ownsNothing);
		return this.callers.stream()
			.anyMatch((caller) -> caller.owns(seen) || (seen.kind().equals(Kind.READ) && caller.asksFor(seen.key())));
	}

	/* Continue after a pause. */
	void wake() {
		if (!this.machine.runs()) {
			this.machine.wake();
			this.running = this.machine.scheduler.now;
		}
	}

	/* Users repeat calls that an error of the JVM has ended. */
	static void persist(Runnable action) {
		try {
			action.run();
		}
		catch (VirtualMachineError | LinkageError ex) {
			ErrorPoint.without(action);
		}
	}

}
