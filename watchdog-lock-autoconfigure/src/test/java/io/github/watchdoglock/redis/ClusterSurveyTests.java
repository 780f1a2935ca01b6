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

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for surveys of the locks of all instances in a cluster of three primaries.
 */
@Tag("slow")
class ClusterSurveyTests extends RedisSurveyContract {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	@Test
	void surveyFindsKeysOfAllPrimariesWithoutDuplicates() {
		assertThat(takeThirty()).extracting(cluster::node).contains(cluster.ports().toArray(Integer[]::new));
		List<Held> answers = lookAtAll(9);
		Set<String> asked = new HashSet<>();
		answers.stream().map(Held::cursor).filter(Objects::nonNull).forEach((cursor) -> {
			assertThat(cursor).matches("[0-9a-f]{40}-[0-9]+");
			asked.add(cursor.substring(0, 40));
		});
		assertThat(keys(answers)).hasSize(30).doesNotHaveDuplicates();
		assertThat(asked).hasSizeGreaterThan(1);
	}

	private List<LockKey> takeThirty() {
		List<LockKey> keys = IntStream.range(0, 30).mapToObj((i) -> LockKey.of("orders", "" + i)).toList();
		keys.forEach((key) -> take(key));
		return keys;
	}

	@Test
	void answerNamesGapWhenPrimaryIsUnreachable() throws Exception {
		int away = cluster.ports().get(2);
		List<LockKey> others = takeThirty().stream().filter((key) -> cluster.node(key) != away).toList();
		cluster.at(away).process().freezeWhile(() -> {
			// A slow machine does not have enough time to read all of them at once.
			List<Held> answers = lookAtAll(100);
			assertThat(answers).flatExtracting(Held::gaps)
				.singleElement()
				.asString()
				.startsWith("a primary could not be read: ");
			assertThat(keys(answers)).containsExactlyInAnyOrderElementsOf(others);
		});
	}

	@Test
	void cursorOfOtherTopologyIsReportedAsUnknown() {
		assertThat(survey().look("17", 10)).isInstanceOf(Answer.UnknownCursor.class);
		assertThat(survey().look("0123456789012345678901234567890123456789-17", 10))
			.isInstanceOf(Answer.UnknownCursor.class);
	}

	@Override
	protected RedisLocks locks() {
		return cluster.locks();
	}

	@Override
	protected void clear() {
		cluster.ports().forEach((port) -> cluster.at(port).admin().command("FLUSHALL"));
	}

}
