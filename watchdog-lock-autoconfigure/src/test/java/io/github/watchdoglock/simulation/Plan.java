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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;

/**
 * The seeded plan of a world: all actions that are not consequences of others.
 */
final class Plan {

	/* The time in which all callers arrive if they arrive at once. */
	private static final long RUSH = TimeUnit.MILLISECONDS.toNanos(100);

	/** One of this many worlds has a process that is copied. */
	private static final int COPIED_ONE_OF = 10;

	/* Seed offset of the values for copies. */
	private static final long COPIES = 0x2545F4914F6CDD1DL;

	private final Draw draw;

	/** Length of the default lease, in milliseconds. */
	final long length;

	final int instances;

	final List<LockKey> keys = new ArrayList<>();

	final List<Act> acts = new ArrayList<>();

	/** The time of the last act, in nanoseconds. */
	final long end;

	Plan(long seed) {
		Draw draw = new Draw(seed);
		this.draw = draw;
		this.length = draw.of(List.of(600L, 3_000L, 3_000L, 10_000L));
		this.instances = 3 + (draw.oneIn(8) ? 1 : 0);
		int keys = 1 + draw.below(3);
		for (int i = 0; i < keys; i++) {
			String name = draw.of(List.of("key", "key", Wish.READ, Wish.PERMITS));
			this.keys.add(LockKey.of(name, String.valueOf(i)));
		}
		this.end = millis((long) (this.length * (1.5 + 3 * draw.share())));
		// Callers that all do the same, or arrive at once.
		Wish.Style favourite = draw.oneIn(8) ? draw.of(List.of(Wish.Style.values())) : null;
		boolean waiting = favourite == Wish.Style.ASYNC_THEN_ASYNC;
		long rush = (waiting || draw.oneIn(6)) ? draw.between(0, this.end) : -1;
		int callers = (waiting ? 14 : 6) + draw.below(8);
		for (int i = 0; i < callers; i++) {
			long at = (rush >= 0) ? rush + draw.rarelyUpTo(RUSH) : draw.between(0, this.end);
			int place = (favourite != null || draw.oneIn(2)) ? 0 : draw.below(this.instances);
			caller(draw, place, favourite, at);
		}
		int faults = 2 + draw.below(4);
		for (int i = 0; i < faults; i++) {
			fault();
		}
		if (!draw.oneIn(5)) {
			long point = 1 + draw.rarelyUpTo(12_000);
			act("an error is thrown " + point + " points later", (world) -> world.arm(point));
		}
		copy(new Draw(seed ^ COPIES));
		this.acts.sort((one, other) -> Long.compare(one.at(), other.at()));
	}

	private static long millis(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private void act(String what, Consumer<World> deed) {
		act(this.draw.between(0, this.end), what, deed);
	}

	private void act(long at, String what, Consumer<World> deed) {
		this.acts.add(new Act(at, what, deed));
	}

	private long sometime(Draw draw) {
		return millis(1 + draw.rarelyUpTo(2 * this.length));
	}

	private void caller(Draw draw, int place, Wish.Style favourite, long at) {
		Wish wish = Wish.draw(draw, this.keys, this.length, favourite);
		int disturbed = draw.below(8);
		long later = sometime(draw);
		act(at, "a caller of " + place + ": " + wish
				+ ((disturbed < 2) ? ", disturbed after " + TimeUnit.NANOSECONDS.toMillis(later) : ""), (world) -> {
					Caller caller = (world.at(place) != null) ? world.call(place, wish) : null;
					if (caller != null && disturbed < 2) {
						world.scheduler.in(later, null, () -> world.disturb(caller));
					}
				});
	}

	/*
	 * Uses a random sequence of its own, so that all other acts do not change. Callers
	 * arrive in both copies.
	 */
	private void copy(Draw draw) {
		if (!draw.oneIn(COPIED_ONE_OF)) {
			return;
		}
		int place = draw.below(this.instances);
		boolean restored = draw.oneIn(2);
		long at = draw.between(0, this.end * 3 / 4);
		long time = sometime(draw);
		act(at, place + " is " + (restored ? "restored as two copies" : "copied without its knowledge")
				+ ", which connect after " + TimeUnit.NANOSECONDS.toMillis(time),
				(world) -> world.faults.copy(place, restored, time));
		int callers = 4 + draw.below(6);
		for (int i = 0; i < callers; i++) {
			caller(draw, (i % 2 == 0) ? place : this.instances, null, at + draw.rarelyUpTo(this.end - at));
		}
	}

	private void fault() {
		int place = this.draw.below(this.instances);
		long time = sometime(this.draw);
		LockKey key = this.draw.of(this.keys);
		int number = 1 + this.draw.below(20);
		boolean forGood = this.draw.oneIn(4);
		String length = " for " + TimeUnit.NANOSECONDS.toMillis(time);
		switch (this.draw.below(19)) {
			case 0, 1 ->
				act("connection of " + place + " breaks" + length, (world) -> world.faults.breakOff(place, time));
			case 2 ->
				act("connection of " + place + " is silent" + length, (world) -> world.faults.silence(place, time));
			case 3 -> act("the server refuses " + number + " of " + place, (world) -> world.faults.refuse(place, number,
					forGood ? Link::refusedForGood : () -> new LockStoreException("BUSY", null)));
			case 4, 5 -> act("messages get lost and late", (world) -> world.faults.unsettle(3 + number));
			case 6 -> act("nobody hears the channel of " + place + length, (world) -> world.faults.deafen(place, time));
			case 7 -> {
				if (number % 2 == 0) {
					act(place + " is paused with its next renewal" + length,
							(world) -> world.faults.pauseWithRenewal(place, time));
				}
				else {
					act(place + " is paused" + length, (world) -> world.faults.pause(place, time));
				}
			}
			case 8 -> act(place + " sleeps" + length, (world) -> world.faults.sleep(place, time));
			case 9 ->
				act(place + " is killed, another begins after" + length, (world) -> world.faults.kill(place, time));
			case 10 ->
				act(place + " stops, and starts again after" + length, (world) -> world.faults.stop(place, time));
			case 11 ->
				act(place + " closes, another begins after" + length, (world) -> world.faults.restart(place, time));
			case 12 -> {
				if (number % 4 == 0) {
					act("the server's clock is set back" + length, (world) -> world.faults.setServerBack(time));
				}
				else {
					act("the server is paused" + length, (world) -> world.faults.pauseServer(time));
				}
			}
			case 13 -> act("the server restarts within" + length, (world) -> world.faults.restartServer(time));
			case 14 -> {
				if (number % 3 == 0) {
					act("the server is another without the record of " + key + ", which is known after"
							+ length.substring(" for".length()), (world) -> world.faults.move(key, time));
				}
				else {
					act("the record of " + key + " is lost", (world) -> world.faults.forget(key));
				}
			}
			case 15 -> act(place + " forces " + key, (world) -> world.faults.force(place, key));
			case 16 -> act("a thread of " + place + " is interrupted by nobody",
					(world) -> world.faults.interruptAnyThread(place, number));
			case 17 -> act(number + " commands of " + place + " are answered " + (forGood ? "never" : "too late"),
					(world) -> world.faults.breakPromise(place, number, forGood));
			default ->
				act(number + " threads of " + place + " can't be had", (world) -> world.faults.withhold(place, number));
		}
	}

}
