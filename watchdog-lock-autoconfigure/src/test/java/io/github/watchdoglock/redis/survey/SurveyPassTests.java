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

package io.github.watchdoglock.redis.survey;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link SurveyPass}: how batches become answers.
 */
class SurveyPassTests {

	private final Map<String, List<String>> nodes = new TreeMap<>();

	@Test
	void excessLocksOfStepAreCountedButNotListed() {
		this.nodes.put("", List.of("a+b+c", "d"));
		Held first = run(null, 2);
		assertThat(first.locks()).extracting((state) -> state.key().name()).containsExactly("a", "b");
		assertThat(first.count()).isEqualTo(3);
		Held second = run(first.cursor(), 2);
		assertThat(second.locks()).extracting((state) -> state.key().name()).containsExactly("d");
		assertThat(second.cursor()).isNull();
	}

	@Test
	void serverWhoseFirstBatchExceedsLimitIsListed() {
		this.nodes.put("a1", List.of("x:free"));
		this.nodes.put("b2", names(0, 10));
		Held first = run(null, 3);
		assertThat(first.locks()).as("locks listed from the server with a large first batch").hasSizeBetween(1, 3);
		assertThat(first.cursor()).startsWith("b2-");
	}

	@Test
	void keyScannedTwiceIsCountedOnce() {
		this.nodes.put("", List.of("a", "b", "a"));
		assertThat(run(null, 10).count()).isEqualTo(2);
	}

	@Test
	void failedServerIsReportedAsGapUnlessAllServersFail() {
		this.nodes.put("a1", List.of("!gone"));
		this.nodes.put("b2", List.of("a"));
		assertThat(run(null, 10)).satisfies((answer) -> {
			assertThat(answer.locks()).as("locks of the servers that could be read").hasSize(1);
			assertThat(answer.gaps()).containsExactly("a primary could not be read: gone");
		});
		this.nodes.put("b2", List.of("!gone too"));
		assertThatIllegalStateException().isThrownBy(() -> run(null, 10)).withMessage("gone too");
	}

	@Test
	void failedServerIsReportedAsGapAfterOtherServersAnswered() {
		this.nodes.put("a1", List.of("a", "b"));
		this.nodes.put("b2", List.of("!gone"));
		Held first = run(null, 2);
		assertThat(first.cursor()).startsWith("b2-");
		Held second = run(first.cursor(), 2);
		assertThat(second.gaps()).containsExactly("a primary could not be read: gone");
		assertThat(second.cursor()).isNull();
	}

	@Test
	void deniedCommandFailsPassAndIsNotReportedAsGap() {
		this.nodes.put("a1", List.of("a"));
		this.nodes.put("b2", List.of("!denied"));
		assertThatThrownBy(() -> run(null, 10)).isInstanceOf(RedisCommandExecutionException.class)
			.hasMessage("NOPERM denied");
	}

	private Held run(@Nullable String cursor, int limit) {
		ScanPosition from = (cursor != null) ? ScanPosition.parse(cursor) : null;
		Answer answer = new SurveyPass("p", false, limit).run(new Session(), from);
		assertThat(answer).isInstanceOf(Held.class);
		return (Held) answer;
	}

	private static List<String> names(int from, int to) {
		List<String> names = new ArrayList<>();
		for (int i = from; i < to; i++) {
			names.add("lock" + i);
		}
		return names;
	}

	/**
	 * A session that takes each name as a step: several keys joined by a plus, a free
	 * key, or a failure.
	 */
	private final class Session implements SurveySession {

		@Override
		public List<String> nodes() {
			return List.copyOf(SurveyPassTests.this.nodes.keySet());
		}

		@Override
		public KeyScanCursor<byte[]> scan(String node, String cursor, int count, byte[] pattern) {
			List<String> steps = Objects.requireNonNull(SurveyPassTests.this.nodes.get(node));
			KeyScanCursor<byte[]> scanned = new KeyScanCursor<>();
			int step = Integer.parseInt(cursor);
			while (step < steps.size() && scanned.getKeys().size() < count) {
				String text = steps.get(step++);
				if (text.equals("!denied")) {
					throw new RedisCommandExecutionException("NOPERM denied");
				}
				if (text.startsWith("!")) {
					throw new IllegalStateException(text.substring(1));
				}
				for (String name : text.split("\\+", -1)) {
					scanned.getKeys().add(("p:{" + name + "}").getBytes(StandardCharsets.UTF_8));
				}
			}
			scanned.setCursor("" + step);
			scanned.setFinished(step == steps.size());
			return scanned;
		}

		@Override
		public Map<LockKey, List<LockState>> find(String node, Map<LockKey, byte[]> names) {
			Map<LockKey, List<LockState>> found = new LinkedHashMap<>();
			names.forEach((key, name) -> found.put(key, new String(name, StandardCharsets.UTF_8).contains(":free")
					? List.of()
					: List.of(HolderState.of(key, "holder", 1, Duration.ofSeconds(1), 0, AttemptId.Kind.EXCLUSIVE))));
			return found;
		}

		@Override
		public void close() {
		}

	}

}
