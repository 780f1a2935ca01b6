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

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for seeded faults, and for the recognition of their effects.
 */
class EffectsTests {

	private final Effects effects = new Effects();

	@Test
	void faultKindWithOneEffectIsNotReportedAsNeverFelt() {
		this.effects.add(FaultKind.CUT, () -> false);
		this.effects.add(FaultKind.CUT, () -> true);
		this.effects.settle();
		assertThat(this.effects.neverFelt()).isEmpty();
		assertThat(this.effects.count()).isEqualTo(2);
		assertThat(this.effects).hasToString("CUT 1/2");
	}

	@Test
	void faultKindWithoutEffectIsReportedAsNeverFelt() {
		this.effects.add(FaultKind.CUT, () -> true);
		this.effects.add(FaultKind.DELAY, () -> false);
		this.effects.settle();
		assertThat(this.effects.neverFelt()).containsExactly(FaultKind.DELAY);
	}

	@Test
	void fourteenSeededFaultsCoverAllKinds() {
		List<DrawnFault> faults = DrawnFault.draw(14, 4, new Random(1));
		assertThat(faults.stream().map(DrawnFault::kind).collect(Collectors.toSet()))
			.isEqualTo(EnumSet.allOf(FaultKind.class));
		assertThat(faults).hasSize(14).allMatch((fault) -> fault.instance() < 4);
	}

	@Test
	void sameSeedYieldsSameSequenceOfFaults() {
		assertThat(DrawnFault.draw(60, 4, new Random(7))).isEqualTo(DrawnFault.draw(60, 4, new Random(7)))
			.isNotEqualTo(DrawnFault.draw(60, 4, new Random(8)));
	}

}
