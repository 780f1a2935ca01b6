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

package io.github.watchdoglock.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import io.github.watchdoglock.store.LeaseSurvey.Answer.UnknownCursor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of all stores that can list their keys.
 */
public abstract class LeaseSurveyContract {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofSeconds(10);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	protected abstract LeaseStore store();

	protected abstract LeaseInspector inspector();

	protected abstract LeaseSurvey survey();

	/* Remove all keys. */
	protected abstract void clear();

	@BeforeEach
	final void begin() {
		clear();
	}

	@Test
	public void surveyIsEmptyWhenNoLockIsHeld() {
		assertThat(lookToEnd(10)).isEqualTo(new Held(List.of(), 0, List.of(), null));
	}

	@Test
	public void surveyReportsHeldLocksLikeFind() {
		List<LockKey> keys = List.of(LockKey.of("orders", "42"), LockKey.of("orders"), LockKey.of("reports"),
				LockKey.of("odd %{ä}:\uD83D\uDD12", "{x}:%7B*[a]?"));
		keys.forEach((key) -> take(key));
		join(store().acquire(command(keys.get(0), attempt())));
		Held answer = lookToEnd(10);
		assertThat(answer.count()).as("count").isEqualTo(4);
		assertThat(answer.gaps()).isEmpty();
		assertThat(answer.locks()).extracting(LockState::key).containsExactlyInAnyOrderElementsOf(keys);
		assertThat(answer.locks()).allSatisfy((state) -> {
			LockState found = join(inspector().find(state.key(), TIMEOUT)).get(0);
			assertThat(state.holder()).isEqualTo(found.holder()).isEqualTo("shop@host/main");
			assertThat(state.token()).isEqualTo(found.token());
			assertThat(state.waiting()).isEqualTo(state.key().equals(keys.get(0)) ? 1 : 0);
			assertThat(state.remaining()).isBetween(found.remaining(), LEASE);
		});
	}

	@Test
	public void surveyReportsKeptLocksButNeitherFreeNorReservedOnes() {
		AttemptId released = take(LockKey.of("released"));
		release(LockKey.of("released"), released, Duration.ZERO);
		AttemptId left = take(LockKey.of("reserved"));
		join(store().acquire(command(LockKey.of("reserved"), attempt())));
		release(LockKey.of("reserved"), left, Duration.ZERO);
		AttemptId kept = take(LockKey.of("kept"));
		release(LockKey.of("kept"), kept, Duration.ofSeconds(20));
		assertThat(lookToEnd(10).locks()).extracting(LockState::key).containsExactly(LockKey.of("kept"));
	}

	@Test
	public void cursorContinuesSurveyBeyondLimit() {
		Set<LockKey> keys = new HashSet<>();
		for (int i = 0; i < 40; i++) {
			keys.add(LockKey.of("many", "" + i));
		}
		keys.forEach((key) -> take(key));
		for (int limit : new int[] { 12, 39, 40 }) {
			List<Held> answers = lookAtAll(limit);
			assertThat(answers).allSatisfy((answer) -> assertThat(answer.locks()).hasSizeBetween(1, limit));
			assertThat(keys(answers)).as("by " + limit).hasSize(40).containsExactlyInAnyOrderElementsOf(keys);
		}
	}

	@Test
	public void surveyWithLimitZeroOnlyCountsLocks() {
		for (int i = 0; i < 10; i++) {
			take(LockKey.of("counted", "" + i));
		}
		assertThat(lookToEnd(0)).isEqualTo(new Held(List.of(), 10, List.of(), null));
	}

	@Test
	public void invalidCursorIsReportedAsUnknown() {
		for (String cursor : List.of("", "nonsense", "-1", "1.5", "zz-0", "99999999999999999999999999")) {
			assertThat(survey().look(cursor, 10)).as(cursor).isInstanceOf(UnknownCursor.class);
		}
	}

	protected final Held look(@Nullable String cursor, int limit) {
		LeaseSurvey.Answer answer = survey().look(cursor, limit);
		assertThat(answer).isInstanceOf(Held.class);
		return (Held) answer;
	}

	/*
	 * Return all answers as one. On a busy machine, the time of one answer may end before
	 * the last server was read.
	 */
	private Held lookToEnd(int limit) {
		List<Held> answers = lookAtAll(limit);
		return new Held(answers.stream().flatMap((answer) -> answer.locks().stream()).toList(),
				answers.stream().mapToInt(Held::count).sum(),
				answers.stream().flatMap((answer) -> answer.gaps().stream()).toList(), null);
	}

	/* Collect the answers, one after the other. */
	protected final List<Held> lookAtAll(int limit) {
		List<Held> answers = new ArrayList<>();
		String cursor = null;
		do {
			answers.add(look(cursor, limit));
			cursor = answers.get(answers.size() - 1).cursor();
		}
		while (cursor != null);
		return answers;
	}

	protected static List<LockKey> keys(List<Held> answers) {
		return answers.stream().flatMap((answer) -> answer.locks().stream()).map(LockState::key).toList();
	}

	protected final AttemptId take(LockKey key) {
		AttemptId attempt = attempt();
		assertThat(join(store().acquire(command(key, attempt)))).isInstanceOf(LeaseStore.AcquireAnswer.Granted.class);
		return attempt;
	}

	private void release(LockKey key, AttemptId attempt, Duration keep) {
		join(store().release(new ReleaseCommand(key, attempt, ReleaseCommand.NONE, keep, null, TIMEOUT)));
	}

	private static AttemptId attempt() {
		return new AttemptId(UUID.randomUUID().toString(), 1);
	}

	private static AcquireCommand command(LockKey key, AttemptId attempt) {
		return new AcquireCommand(key, attempt, "shop@host/main", LEASE, 1, false, POLL, false, TIMEOUT);
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
	}

}
