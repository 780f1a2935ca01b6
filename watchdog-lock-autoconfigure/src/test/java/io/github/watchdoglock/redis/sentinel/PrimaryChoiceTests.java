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

package io.github.watchdoglock.redis.sentinel;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the choice of the primary if three sentinels disagree.
 */
class PrimaryChoiceTests {

	private static final RedisNode FIRST = new RedisNode("10.0.0.1", 6379);

	private static final RedisNode SECOND = new RedisNode("10.0.0.2", 6379);

	private final PrimaryChoice choice = new PrimaryChoice(3);

	private long now;

	@Test
	void noPrimaryIsChosenBeforeFirstAnswer() {
		assertThat(this.choice.choose(this.now)).isFalse();
		assertThat(this.choice.address()).isNull();
		assertThat(this.choice.isSettled()).isFalse();
	}

	@Test
	void addressOfGreatestEpochIsChosenFromAnySentinel() {
		tell("a", FIRST, 4);
		tell("b", FIRST, 4);
		assertThat(this.choice.isSettled()).isTrue();
		assertThat(this.choice.choose(this.now)).isTrue();
		assertThat(this.choice.address()).isEqualTo(FIRST);
		tell("c", SECOND, 5);
		assertThat(this.choice.choose(this.now)).isTrue();
		assertThat(this.choice.address()).isEqualTo(SECOND);
	}

	@Test
	void lateSentinelsDoNotChangePrimary() {
		moved();
		tell("b", FIRST, 4);
		tell("c", FIRST, 4);
		assertNothingChangesFor(Duration.ofSeconds(60), () -> {
			tell("a", SECOND, 5);
			tell("b", FIRST, 4);
			tell("c", FIRST, 4);
		});
	}

	@Test
	void failoverBackIsFollowedAndOlderEpochIsIgnored() {
		moved();
		tell("b", FIRST, 6);
		assertThat(this.choice.choose(this.now)).isTrue();
		tell("c", SECOND, 5);
		assertThat(this.choice.choose(this.now)).isFalse();
		assertThat(this.choice.address()).isEqualTo(FIRST);
	}

	@Test
	void lastReachableSentinelIsIgnoredWhenLate() {
		moved();
		assertNothingChangesFor(Duration.ofSeconds(60), () -> tell("b", FIRST, 4));
	}

	@Test
	void currentPrimaryIsKeptWhenEpochsAreEqual() {
		moved();
		assertNothingChangesFor(Duration.ofSeconds(60), () -> {
			tell("b", FIRST, 5);
			tell("a", SECOND, 5);
		});
	}

	@Test
	void manualChangeByMajorityIsFollowedAfterConfirmation() {
		moved();
		twoWereToldOfAnotherByHand();
		assertNothingChangesFor(PrimaryChoice.CONFIRMATION_TIME, this::twoWereToldOfAnotherByHand);
		pass(PrimaryChoice.ANSWER_LIFETIME);
		twoWereToldOfAnotherByHand();
		assertThat(this.choice.choose(this.now)).isFalse();
		pass(PrimaryChoice.CONFIRMATION_TIME);
		twoWereToldOfAnotherByHand();
		assertThat(this.choice.choose(this.now)).isTrue();
		assertThat(this.choice.address()).isEqualTo(FIRST);
	}

	@Test
	void lateSentinelWithGreaterEpochIsIgnoredAfterManualChange() {
		moved();
		pass(PrimaryChoice.ANSWER_LIFETIME);
		pass(PrimaryChoice.ANSWER_LIFETIME);
		twoWereToldOfAnotherByHand();
		this.choice.choose(this.now);
		pass(PrimaryChoice.CONFIRMATION_TIME);
		twoWereToldOfAnotherByHand();
		assertThat(this.choice.choose(this.now)).isTrue();
		tell("a", SECOND, 5);
		assertNothingChangesFor(Duration.ofSeconds(60), FIRST, () -> {
			twoWereToldOfAnotherByHand();
			tell("a", SECOND, 5);
		});
		tell("b", SECOND, 6);
		assertThat(this.choice.choose(this.now)).isTrue();
		assertThat(this.choice.address()).isEqualTo(SECOND);
	}

	@Test
	void majorityOfSameEpochIsFollowedAfterConfirmation() {
		moved();
		Runnable others = () -> {
			tell("a", SECOND, 5);
			tell("b", FIRST, 5);
			tell("c", FIRST, 5);
		};
		others.run();
		assertThat(this.choice.choose(this.now)).isFalse();
		pass(PrimaryChoice.CONFIRMATION_TIME);
		others.run();
		assertThat(this.choice.choose(this.now)).isTrue();
		assertThat(this.choice.address()).isEqualTo(FIRST);
	}

	@Test
	void confirmationTimeRestartsAfterAnswersExpired() {
		moved();
		twoWereToldOfAnotherByHand();
		pass(PrimaryChoice.ANSWER_LIFETIME);
		assertThat(this.choice.choose(this.now)).isFalse();
		twoWereToldOfAnotherByHand();
		assertThat(this.choice.choose(this.now)).isFalse();
		pass(PrimaryChoice.ANSWER_LIFETIME);
		pass(PrimaryChoice.ANSWER_LIFETIME);
		assertThat(this.choice.choose(this.now)).isFalse();
		twoWereToldOfAnotherByHand();
		assertThat(this.choice.choose(this.now)).isFalse();
	}

	private void twoWereToldOfAnotherByHand() {
		tell("b", FIRST, 0);
		tell("c", FIRST, 0);
	}

	private void moved() {
		tell("a", FIRST, 4);
		this.choice.choose(this.now);
		tell("a", SECOND, 5);
		assertThat(this.choice.choose(this.now)).isTrue();
	}

	private void assertNothingChangesFor(Duration time, Runnable news) {
		assertNothingChangesFor(time, SECOND, news);
	}

	private void assertNothingChangesFor(Duration time, RedisNode followed, Runnable news) {
		for (long i = 0; i < time.toSeconds(); i++) {
			pass(Duration.ofSeconds(1));
			news.run();
			assertThat(this.choice.choose(this.now)).as("address changes (say after which second and answers)")
				.isFalse();
		}
		assertThat(this.choice.address()).isEqualTo(followed);
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private void tell(String sentinel, RedisNode address, long epoch) {
		this.choice.recordAnswer(sentinel, address, epoch, this.now);
	}

}
