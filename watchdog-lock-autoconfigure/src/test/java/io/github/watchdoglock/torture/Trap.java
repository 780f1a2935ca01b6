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
import java.util.Set;

import io.github.watchdoglock.torture.Violation.Kind;

/**
 * The circumstances in which a variant with a seeded bug fails, and which the correct one
 * passes.
 *
 * @param variant the variant
 * @param workload the workload of the instances
 * @param fault the fault that is injected into the first of them repeatedly
 * @param pause the time between two faults
 * @param orphan how long a free key may keep others waiting
 * @param passes how often others may acquire a key while an instance waits for it
 * @param kinds the violations that may be found
 */
record Trap(Variant variant, Workload workload, DrawnFault fault, Duration pause, Duration orphan, int passes,
		Set<Kind> kinds) {

	private static final Duration PAUSE = Duration.ofMillis(1_500);

	/* Longer than any lease, and with time for commands that are lost. */
	private static final Duration ORPHAN = Duration.ofSeconds(9);

	private static final int NO_MATTER = Integer.MAX_VALUE - 1;

	static Trap of(Variant variant) {
		Workload renewed = Workload.holding(Workload.renewed(1_000), 1.5, 2.5);
		return switch (variant) {
			case NO_MARGIN -> trap(variant, Workload.holding(Workload.fixed(4_000), 1.5).withHolders(12, 8),
					fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP);
			case BOOLEAN ->
				trap(variant, renewed.withStubbornness(), fault(FaultKind.FREEZE_INSTANCE, 1_500, 0), Kind.OVERLAP);
			case RENEWAL_DIES -> new Trap(variant, Workload.holding(Workload.renewed(6_000), 3).withHolders(4, 8),
					fault(FaultKind.STALL_COMMANDS, 1_000, 0), Duration.ofSeconds(5), ORPHAN, NO_MATTER,
					Set.of(Kind.UNEXPLAINED_LOSS));
			case WALL_CLOCK -> trap(variant, renewed, fault(FaultKind.JUMP_CLOCK, 2_000, 1), Kind.OVERLAP);
			case NO_COMPENSATION ->
				// Commands are late there, but none is lost: a lease is not an excuse.
				new Trap(variant, Workload.holding(Workload.renewed(4_000), 0.05).withQuitters(3),
						fault(FaultKind.DELAY, 2_000, 20), PAUSE, Duration.ofSeconds(2), NO_MATTER,
						Set.of(Kind.ORPHAN));
			case REVIVAL -> trap(variant, Workload.holding(Workload.renewed(4_000), 2.5).withStubbornness(),
					fault(FaultKind.FREEZE_INSTANCE, 3_400, 0), Kind.REVIVED);
			case NO_QUEUE_AFTER_EXPIRY ->
				new Trap(variant, Workload.holding(Workload.fixed(800), 1.3).withHolders(1, 5).withGrabbers(4),
						fault(FaultKind.DELAY, 100, 0), PAUSE, ORPHAN, 2, Set.of(Kind.PASSED));
			case OWN_RETENTION -> trap(variant, renewed, fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.GONE);
			case NO_CLOCK -> trap(variant, Workload.holding(Workload.renewed(1_000), 0.1),
					fault(FaultKind.FORGET_FREE, 0, 0), Kind.ORDER);
			case WRITER_PASSES_READERS ->
				trap(variant, sharing(Sharing.READ_WRITE, 0.3), fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP);
			case PERMIT_NEVER_FREED ->
				new Trap(variant, sharing(Sharing.PERMITS, 0.5), fault(FaultKind.KILL_INSTANCE, 100, 0), PAUSE,
						Duration.ofSeconds(4), NO_MATTER, Set.of(Kind.ORPHAN));
			case RIGHT -> throw new IllegalArgumentException("nothing is wrong with it");
		};
	}

	private static Trap trap(Variant variant, Workload workload, DrawnFault fault, Kind... kinds) {
		return new Trap(variant, workload, fault, PAUSE, ORPHAN, NO_MATTER, Set.of(kinds));
	}

	private static Workload sharing(Sharing sharing, double length) {
		return Workload.holding(Workload.renewed(1_000), length).withSharing(sharing);
	}

	private static DrawnFault fault(FaultKind kind, int millis, int detail) {
		return new DrawnFault(kind, 0, Duration.ofMillis(millis), detail);
	}

	Rules rules() {
		return new Rules(Duration.ofMillis(500), Duration.ofMillis(1_200), this.orphan, this.passes);
	}

}
