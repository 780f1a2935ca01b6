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

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;

/**
 * The faults and the actions of operators in a world.
 */
final class Faults {

	/* The time between looks at whether a process can be copied. */
	private static final long LOOKS = TimeUnit.MILLISECONDS.toNanos(5);

	private final World world;

	/** Whether anything has happened because of which a store may fail. */
	boolean troubled;

	/** Whether there was another server, so that a check before a commit asks twice. */
	boolean moved;

	Faults(World world) {
		this.world = world;
	}

	private Instance at(int place) {
		return this.world.at(place);
	}

	private void met(String kind) {
		this.world.tally.fault(kind);
	}

	/* Record a fault because of which a store may fail. */
	private void troubled(String kind) {
		this.troubled = true;
		met(kind);
	}

	private void later(long nanos, Runnable action) {
		this.world.scheduler.in(nanos, null, action);
	}

	void breakOff(int place, long time) {
		this.troubled = true;
		at(place).link.breakOff(time);
	}

	void silence(int place, long time) {
		this.troubled = true;
		Link link = at(place).link;
		link.silent = true;
		later(time, () -> {
			if (link.silent) {
				link.breakOff(0);
			}
		});
	}

	void refuse(int place, int number, Supplier<LockStoreException> refusal) {
		this.troubled = true;
		at(place).link.refusal = refusal;
		at(place).link.refusals = number;
	}

	void unsettle(int oneOf) {
		this.world.instances.forEach((instance) -> instance.link.unreliability = oneOf);
	}

	void deafen(int place, long time) {
		met("channel deaf");
		Instance instance = at(place);
		instance.link.deafen(-1);
		later(time, () -> {
			if (!instance.dead && !instance.closed) {
				instance.link.listen();
			}
		});
	}

	void pause(int place, long time) {
		pause(at(place), time);
	}

	/*
	 * Pause an instance during a renewal: when it continues, the answer is there, and
	 * time has passed.
	 */
	void pauseWithRenewal(int place, long time) {
		Instance instance = at(place);
		instance.link.whenRenewing = () -> pause(instance, time);
	}

	private void pause(Instance instance, long time) {
		if (instance.machine.runs()) {
			troubled("instance paused");
			instance.machine.pause();
			later(time, () -> wake(instance));
		}
	}

	void sleep(int place, long time) {
		Instance instance = at(place);
		if (instance.machine.runs()) {
			troubled("instance asleep");
			instance.machine.sleep();
			later(time, () -> wake(instance));
		}
	}

	/* An instance that was killed meanwhile does nothing more. */
	private static void wake(Instance instance) {
		if (!instance.dead) {
			instance.wake();
		}
	}

	void kill(int place, long time) {
		Instance instance = at(place);
		troubled("instance killed");
		instance.dead = true;
		instance.machine.pause();
		instance.link.breakOff(-1);
		instance.link.deafen(-1);
		later(time, () -> this.world.begin(place));
	}

	/*
	 * An instance is copied, and both copies connect again. Either it has keys in use,
	 * and both copies know that they were restored; or it has none, so that its state is
	 * not more than its ids, and none of them knows. Calls that would begin before a copy
	 * without a hook notices it are left out, because they are not told apart.
	 */
	void copy(int place, boolean restored, long time) {
		Instance instance = at(place);
		boolean possible = instance.machine.runs() && instance.link.isUp() && !instance.shut
				&& restored != instance.simulated.isUnused();
		if (possible) {
			troubled(restored ? "process restored" : "process copied");
			List.of(instance, this.world.copy(instance))
				.forEach((copy) -> copy.link.copied(restored, () -> reconnect(copy, restored), time));
		}
		else if (this.world.scheduler.now <= this.world.plan.end) {
			later(LOOKS, () -> copy(place, restored, time));
		}
	}

	private static void reconnect(Instance copy, boolean restored) {
		if (!copy.closed && restored) {
			copy.link.forbidPresentIds();
			Instance.persist(copy.engine()::restored);
		}
		else if (!copy.closed) {
			copy.link.listen();
		}
	}

	void stop(int place, long time) {
		Instance instance = at(place);
		met("engine stopped and started");
		this.world.scheduler.in(0, instance.machine, () -> {
			this.world.leaders.stop(instance);
			Instance.persist(() -> instance.engine().stop());
			instance.shut = true;
			later(time, () -> this.world.scheduler.in(0, instance.machine, () -> {
				instance.shut = instance.closed;
				instance.openings++;
				instance.engine().start();
				if (!instance.closed) {
					this.world.leaders.start(instance);
				}
			}));
		});
	}

	void restart(int place, long time) {
		Instance instance = at(place);
		met("instance restarted");
		this.world.scheduler.in(0, instance.machine, () -> {
			this.world.close(instance);
			later(time, () -> this.world.begin(place));
		});
	}

	void pauseServer(long time) {
		Machine server = this.world.server.machine;
		if (server.runs()) {
			troubled("server paused");
			server.pause();
			later(time, server::wake);
		}
	}

	void setServerBack(long time) {
		if (this.world.server.setBack(time)) {
			met("server's clock set back");
		}
	}

	/* The server keeps its data, and all connections break. */
	void restartServer(long time) {
		if (this.world.server.machine.runs()) {
			troubled("server restarted");
			this.world.instances.forEach((instance) -> instance.link.breakOff(time));
		}
	}

	void forget(LockKey key) {
		met("record lost");
		this.world.server.forget(key, this.world.longestBelief());
	}

	/* The store is another server, which lacks a record; instances are notified later. */
	void move(LockKey key, long time) {
		met("server moved");
		this.moved = true;
		this.world.server.forget(key, this.world.longestBelief());
		this.world.instances.forEach((instance) -> later(time, instance.link::moved));
	}

	void force(int place, LockKey key) {
		met("key forced");
		Instance instance = at(place);
		this.world.scheduler.start(instance.machine, "operator", () -> {
			try {
				instance.engine().forceRelease(key);
			}
			catch (LockException ex) {
				// Expected if Redis is unreachable.
			}
		});
	}

	/* A bug of other code that interrupts a thread that it does not own. */
	void interruptAnyThread(int place, int number) {
		Machine machine = at(place).machine;
		List<SimulatedThread> threads = this.world.scheduler.threads.stream()
			.filter((thread) -> thread.machine == machine && thread.role.contains("watchdog-lock"))
			.toList();
		if (!threads.isEmpty()) {
			troubled("stray interrupt");
			machine.interrupt(threads.get(number % threads.size()));
		}
	}

	/* A store that does not keep its promise to answer. */
	void breakPromise(int place, int commands, boolean forGood) {
		this.troubled = true;
		at(place).link.unanswered = commands;
		at(place).link.answeredLate = !forGood;
		this.world.brokenPromise = true;
		at(place).brokenPromise = true;
	}

	void withhold(int place, int threads) {
		this.troubled = true;
		at(place).machine.scantThreads = threads;
	}

	/* From now on no faults occur. */
	void end() {
		this.world.server.machine.wake();
		for (Instance instance : this.world.instances) {
			instance.link.whenRenewing = null;
			instance.link.unreliability = 0;
			instance.link.refusals = 0;
			instance.link.unanswered = 0;
			instance.machine.scantThreads = 0;
			if (!instance.dead) {
				instance.wake();
			}
		}
	}

}
