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
			case DEADLINE_FROM_ANSWER -> trap(variant, Workload.holding(Workload.fixed(1_000), 1.5),
					fault(FaultKind.DELAY, 2_000, 100), Kind.OVERLAP);
			case NO_MARGIN -> trap(variant, Workload.holding(Workload.fixed(4_000), 1.5).withHolders(12, 8),
					fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP);
			case NO_OWNER_CHECK ->
				trap(variant, renewed, fault(FaultKind.FREEZE_INSTANCE, 1_300, 0), Kind.OVERLAP, Kind.GONE);
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
			case NEVER_ENDED ->
				new Trap(variant, Workload.holding(Workload.renewed(4_000), 0.05).withHolders(3, 12).withLateCopies(),
						fault(FaultKind.DELAY, 500, 20), PAUSE, Duration.ofSeconds(2), NO_MATTER, Set.of(Kind.ORPHAN));
			case NOT_LENGTHENED ->
				// Answers take longer than the command timeout.
				new Trap(variant, Workload.holding(Workload.fixed(1_000), 1.5).withHolders(12, 8),
						fault(FaultKind.DELAY, 700, 238), Duration.ofMillis(700), ORPHAN, NO_MATTER,
						Set.of(Kind.OVERLAP));
			case LATE_RENEWAL ->
				new Trap(variant, Workload.holding(Workload.renewed(3_000), 0.6).withHolders(3, 12).withLateCopies(),
						fault(FaultKind.DELAY, 500, 20), PAUSE, Duration.ofSeconds(2), NO_MATTER, Set.of(Kind.ORPHAN));
			case NO_QUEUE_AFTER_EXPIRY ->
				new Trap(variant, Workload.holding(Workload.fixed(800), 1.3).withHolders(1, 5).withGrabbers(4),
						fault(FaultKind.DELAY, 100, 0), PAUSE, ORPHAN, 2, Set.of(Kind.PASSED));
			case OWN_RETENTION ->
				trap(variant, renewed, fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP, Kind.ORPHAN);
			case NO_CLOCK -> trap(variant, Workload.holding(Workload.renewed(1_000), 0.1),
					fault(FaultKind.FORGET_FREE, 0, 0), Kind.ORDER);
			case USED_TOKENS_RETURNED -> trap(variant, Workload.holding(Workload.renewed(1_000), 0.1),
					fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.ORDER);
			case READER_COUNTED_TWICE -> new Trap(variant, sharing(Sharing.READ_WRITE, 0.05, 6_000),
					fault(FaultKind.SEND_TWICE, 500, 0), PAUSE, Duration.ofSeconds(2), NO_MATTER, Set.of(Kind.ORPHAN));
			case WRITER_PASSES_READERS -> trap(variant, sharing(Sharing.READ_WRITE, 0.3, 1_000),
					fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP);
			case PERMIT_NEVER_FREED ->
				new Trap(variant, sharing(Sharing.PERMITS, 0.5, 1_000), fault(FaultKind.KILL_INSTANCE, 100, 0), PAUSE,
						Duration.ofSeconds(4), NO_MATTER, Set.of(Kind.ORPHAN));
			case ENDS_OF_ALL_RENEWED -> trap(variant, sharing(Sharing.READ_WRITE, 0.5, 1_000, 6_000).withHolders(12, 9),
					fault(FaultKind.FLUSH_SCRIPTS, 100, 0), Kind.OVERLAP, Kind.GONE);
			case TOKEN_BELOW_ANOTHERS_RETURNED ->
				trap(variant, sharing(Sharing.READ_WRITE, 0.05, 1_000).withHolders(6, 6).withQuitters(8),
						fault(FaultKind.DELAY, 1_000, 20), Kind.ORDER);
			case RIGHT -> throw new IllegalArgumentException("nothing is wrong with it");
		};
	}

	private static Trap trap(Variant variant, Workload workload, DrawnFault fault, Kind... kinds) {
		return new Trap(variant, workload, fault, PAUSE, ORPHAN, NO_MATTER, Set.of(kinds));
	}

	private static Workload sharing(Sharing sharing, double length, int... leases) {
		return Workload.holding(Workload.renewed(leases[0]), length)
			.withSharing(sharing, Arrays.stream(leases).mapToObj(Workload::renewed).toList());
	}

	private static DrawnFault fault(FaultKind kind, int millis, int detail) {
		return new DrawnFault(kind, 0, Duration.ofMillis(millis), detail);
	}

	Rules rules() {
		return new Rules(Duration.ofMillis(500), Duration.ofMillis(1_200), this.orphan, this.passes);
	}

}
