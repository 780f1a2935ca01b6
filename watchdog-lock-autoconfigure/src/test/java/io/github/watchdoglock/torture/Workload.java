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
 * The work of an instance's threads.
 *
 * @param holders threads that hold locks for long, and observe them
 * @param longKeys the number of keys that they use
 * @param leases the requested leases
 * @param lengths how long they hold, in leases
 * @param stubborn the share of holders that continue to look at lost locks; if it is 1,
 * they look more often
 * @param workers threads that hold locks briefly
 * @param shortKeys the number of keys that they use
 * @param quitters threads that give up a request for a long key while the answer is under
 * way
 * @param grabbers threads that try to acquire a long key without waiting, and keep it
 * until its lease has expired
 * @param roles the number of roles for which it is a candidate
 * @param sharing the kinds of requests, assigned to the keys in turn
 */
record Workload(int holders, int longKeys, List<Lease> leases, List<Double> lengths, double stubborn, int workers,
		int shortKeys, int quitters, int grabbers, int roles, List<Sharing> sharing) {

	/* All kinds of work. */
	static final Workload TORTURE = new Workload(2, 4,
			List.of(renewed(1_000), renewed(900), renewed(1_200), fixed(1_000), fixed(500)),
			List.of(0.3, 0.9, 1.5, 2.5), 0.5, 6, 32, 0, 0, 2,
			List.of(Sharing.ALONE, Sharing.READ_WRITE, Sharing.PERMITS, Sharing.ALONE));

	/* The workload with which a seeded bug shows, or all kinds of work. */
	static Workload of(Variant flaw) {
		return (flaw == Variant.RIGHT) ? TORTURE : Trap.of(flaw).workload();
	}

	static Lease renewed(int millis) {
		return Lease.renewed(Duration.ofMillis(millis));
	}

	static Lease fixed(int millis) {
		return Lease.fixed(Duration.ofMillis(millis));
	}

	/* Three threads that hold one of two keys for some leases, and no other work. */
	static Workload holding(Lease lease, double... lengths) {
		return new Workload(3, 2, List.of(lease), Arrays.stream(lengths).boxed().toList(), 0, 0, 1, 0, 0, 0,
				List.of(Sharing.ALONE));
	}

	Workload withStubbornness() {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, 1, this.workers, this.shortKeys,
				this.quitters, this.grabbers, this.roles, this.sharing);
	}

	Workload withHolders(int holders, int keys) {
		return new Workload(holders, keys, this.leases, this.lengths, this.stubborn, this.workers, this.shortKeys,
				this.quitters, this.grabbers, this.roles, this.sharing);
	}

	Workload withQuitters(int quitters) {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, quitters, this.grabbers, this.roles, this.sharing);
	}

	Workload withGrabbers(int grabbers) {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, this.quitters, grabbers, this.roles, this.sharing);
	}

	Workload withSharing(Sharing sharing) {
		return new Workload(this.holders, this.longKeys, this.leases, this.lengths, this.stubborn, this.workers,
				this.shortKeys, this.quitters, this.grabbers, this.roles, List.of(sharing));
	}

	LockRequest longRequest(Random random) {
		return request("long", this.longKeys, random);
	}

	LockRequest shortRequest(Random random) {
		return request("short", this.shortKeys, random);
	}

	/* All instances use a key with the same kind of request. */
	private LockRequest request(String name, int keys, Random random) {
		int key = random.nextInt(keys);
		return this.sharing.get(key % this.sharing.size()).draw(LockRequest.of(name, "k" + key), random);
	}

	static <T> T any(List<T> choice, Random random) {
		return choice.get(random.nextInt(choice.size()));
	}

}
