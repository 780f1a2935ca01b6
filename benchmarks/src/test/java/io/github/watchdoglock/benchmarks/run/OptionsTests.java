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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.github.watchdoglock.benchmarks.lock.Contender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Options}.
 */
class OptionsTests {

	@Test
	void defaultOptionsMeasureAllCasesInFiveRounds() {
		Options options = Options.parse();
		assertThat(options.rounds()).isEqualTo(5);
		assertThat(options.quick()).isFalse();
		assertThat(Cases.ids(options)).allMatch(options::includes);
	}

	@Test
	void optionsSetRoundsLengthAndCases() {
		Options options = Options.parse("--rounds=7", "--quick", "--seconds=2.5", "--cases=lonely,renewal");
		assertThat(options.quick()).isTrue();
		assertThat(options.rounds()).isEqualTo(7);
		assertThat(options.length()).isEqualTo(Duration.ofMillis(2500));
		assertThat(options.includes("lonely")).isTrue();
		assertThat(options.includes("re-entry")).isFalse();
	}

	@Test
	void runWithCasesOrQuickIsNotPublished() {
		assertThat(Options.parse().isPublished()).isTrue();
		assertThat(Options.parse("--cases=lonely").isPublished()).as("run with --cases is published").isFalse();
		assertThat(Options.parse("--quick").isPublished()).isFalse();
	}

	@Test
	void kindsOptionAcceptsOnlyCasesOfKinds() {
		Options options = Options.parse("--kinds", "--permit-minutes=1", "--cases=readers-work,order");
		assertThat(options.permitTime()).isEqualTo(Duration.ofMinutes(1));
		assertThat(options.permitLease()).isEqualTo(Duration.ofSeconds(20));
		assertThat(Options.parse("--kinds").permitLease()).isEqualTo(Duration.ofSeconds(30));
		assertThat(options.isPublished()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--cases=readers-work"));
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--kinds", "--cases=lonely"));
	}

	@Test
	void caseNameFenceSelectsAllFenceCases() {
		Options options = Options.parse("--cases=fence");
		assertThat(Cases.all(options)).map(Case::id)
			.filteredOn(options::includes)
			.containsExactly("fence-own-keys", "fence-one-key");
		assertThat(Options.parse("--cases=fence-one-key").includes("fence-own-keys")).isFalse();
	}

	@Test
	void earlierBuildMustBeExistingJar(@TempDir Path folder) throws IOException {
		Path jar = Files.createFile(folder.resolve("earlier.jar"));
		assertThat(Options.parse("--before=" + jar, "--quick").before()).isEqualTo(jar);
		assertThat(Options.parse("--before=" + jar).has(Contender.WATCHDOG_LOCK_BEFORE)).isTrue();
		assertThat(Options.parse().before()).isNull();
		assertThat(Options.parse().has(Contender.WATCHDOG_LOCK_BEFORE)).isFalse();
		assertThat(Options.parse().has(Contender.REDISSON)).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--before=" + folder.resolve("absent.jar")))
			.withMessageStartingWith("'--before' must be a jar");
	}

	@Test
	void onlyNamedContendersAreMeasuredBesideEarlierBuild(@TempDir Path folder) throws IOException {
		Options options = Options.parse("--before=" + Files.createFile(folder.resolve("earlier.jar")),
				"--contenders=watchdog-lock,bare-pair");
		assertThat(Contender.values()).filteredOn(options::has)
			.containsExactlyInAnyOrder(Contender.WATCHDOG_LOCK, Contender.WATCHDOG_LOCK_BEFORE, Contender.BARE_PAIR,
					Contender.NO_LOCK);
		assertThat(options.isPublished()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--contenders=redis"));
	}

	@Test
	void unknownOptionOrCaseIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--fast"))
			.withMessageStartingWith("'--fast' is not understood. Usage: [--quick]");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--rounds=0"));
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--cases=lonly"))
			.withMessageContaining("four-by-4")
			.withMessageEndingWith("and was [lonly]");
	}

}
