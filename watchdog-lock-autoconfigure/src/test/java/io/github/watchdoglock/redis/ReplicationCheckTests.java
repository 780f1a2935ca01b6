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

package io.github.watchdoglock.redis;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the warnings about a primary and its replicas, depending on its answers.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReplicationCheckTests {

	private static final String PRIMARY = "master";

	private static final String LAST = "last";

	@Test
	void replicasAreLoggedAsInfoWithoutFailover(CapturedOutput output) {
		look(output, false, answer("one", PRIMARY, "2", ""));
		assertThat(output).containsPattern("INFO.*ReplicationCheck.*This Redis has 2 replicas")
			.doesNotContainPattern("WARN.*ReplicationCheck.*2 replicas");
	}

	@Test
	void warningForSingleReplicaAdvisesSecondReplica(CapturedOutput output) {
		look(output, true, answer("one", PRIMARY, "1", ""));
		assertThat(output).contains("This Redis has a replica and", "add a second replica: without one, locks fail");
	}

	@Test
	void replicasOfEachServerAreReportedOnce(CapturedOutput output) {
		look(output, true, answer("one", PRIMARY, "2", ""), answer("one", PRIMARY, "2", ""),
				answer("another", PRIMARY, "2", ""));
		assertThat(output.toString().split("This Redis has 2 replicas", -1)).as("reports of replicas (one per server)")
			.hasSize(3);
	}

	@Test
	void serverWithoutUnsafeReplicasIsNotReported(CapturedOutput output) {
		look(output, true, answer("one", PRIMARY, "2", "1"), answer("one", PRIMARY, "0", ""),
				answer("one", "slave", "2", ""), answer("", "", "", ""));
		assertThat(output.toString().split("This Redis has", -1)).hasSize(2);
	}

	/* The report of the last answer follows those of all others. */
	@SafeVarargs
	private static void look(CapturedOutput output, boolean failsOver, List<String>... answers) {
		ReplicationCheck check = new ReplicationCheck(failsOver);
		for (List<String> answer : answers) {
			check.report(answer);
		}
		check.report(answer(LAST, PRIMARY, "3", ""));
		await().untilAsserted(() -> assertThat(output).contains("This Redis has 3 replicas"));
	}

	private static List<String> answer(String server, String role, String replicas, String good) {
		return List.of(server, role, replicas, good);
	}

}
