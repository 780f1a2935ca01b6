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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockRequest;

/**
 * What the threads of an instance do.
 *
 * @param holders threads that hold for long, and keep looking
 * @param longKeys over how many keys they do so
 * @param leases what they ask for
 * @param lengths how long they hold, in leases
 * @param stubborn how many of them go on looking at what they have lost, of 1; where all
 * do, without a pause
 * @param workers threads that hold for a moment
 * @param shortKeys over how many keys they do so
 * @param quitters threads that give up asking for a long key while the answer is under
 * way
 * @param grabbers threads that try to get a long key without waiting, and keep it until
 * its lease is over
 * @param lateCopies whether commands reach the store once more when they are over
 * @param roles how many roles it stands for
 * @param sharing how keys are asked for, one after the other and again from the first
 */
record Workload(int holders, int longKeys, List<Lease> leases, List<Double> lengths, double stubborn, int workers,
		int shortKeys, int quitters, int grabbers, boolean lateCopies, int roles, List<Sharing> sharing) {

	/* All there is. */
	static final Workload TORTURE = new Workload(2, 4,
			List.of(renewed(1_000), renewed(900), renewed(1_200), fixed(1_000), fixed(500)),
			List.of(0.3, 0.9, 1.5, 2.5), 0.5, 6, 32, 0, 0, false, 2,
			List.of(Sharing.ALONE, Sharing.READ_WRITE, Sharing.PERMITS, Sharing.ALONE));

	/* What instances do among which a flaw shows, or all there is. */
	static Workload of(Variant flaw) {
		return (flaw == Variant.RIGHT) ? TORTURE : Trap.of(flaw).workload();
	}

	static Lease renewed(int millis) {
		return Lease.renewed(Duration.ofMillis(millis));
	}

	static Lease fixed(int millis) {
		return Lease.fixed(Duration.ofMillis(millis));
	}

	/* Three threads that hold one of two keys for some leases, and nothing else. */
	static Workload holding(Lease lease, double... lengths) {
		return new Workload(3, 2, List.of(lease), Arrays.stream(lengths).boxed().toList(), 0, 0, 1, 0, 0, false, 0,
				List.of(Sharing.ALONE));
	}

	Workload withStubbornness() {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, 1, this.workers, this.shortKeys,
				this.quitters, this.grabbers, this.lateCopies, this.roles, this.sharing);
	}

	Workload withHolders(int holders, int keys) {
		return new Workload(holders, keys, this.leases, this.lengths, this.stubborn, this.workers, this.shortKeys,
				this.quitters, this.grabbers, this.lateCopies, this.roles, this.sharing);
	}

	Workload withQuitters(int quitters) {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, quitters, this.grabbers, this.lateCopies, this.roles, this.sharing);
	}

	Workload withGrabbers(int grabbers) {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, this.quitters, grabbers, this.lateCopies, this.roles, this.sharing);
	}

	Workload withLateCopies() {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, this.quitters, this.grabbers, true, this.roles, this.sharing);
	}

	Workload withSharing(Sharing sharing, List<Lease> leases) {
		return new Workload(this.holders, this.longKeys, leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, this.quitters, this.grabbers, this.lateCopies, this.roles, List.of(sharing));
	}

	LockRequest longRequest(Random random) {
		return request("long", this.longKeys, random);
	}

	LockRequest shortRequest(Random random) {
		return request("short", this.shortKeys, random);
	}

	/* A key is asked for in one way by all instances. */
	private LockRequest request(String name, int keys, Random random) {
		int key = random.nextInt(keys);
		return this.sharing.get(key % this.sharing.size()).draw(LockRequest.of(name, "k" + key), random);
	}

	static <T> T any(List<T> choice, Random random) {
		return choice.get(random.nextInt(choice.size()));
	}

}
