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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.HandOffRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for hand-offs of locks with properties for their name, with two instances.
 */
class HandOffPropertiesTests extends TwoInstances {

	private static final HandOffRules RULES = new HandOffRules(Map.of("strict", 0, "three", 3));

	private static final EngineSettings BY_NAME = SETTINGS.withHandOffs(RULES);

	private final TestEngine a = engine(BY_NAME);

	private final TestEngine b = engine(BY_NAME);

	/**
	 * Waiting callers and the names of their instances, in the order of their arrival.
	 */
	private final List<CompletableFuture<LockHandle>> callers = new ArrayList<>();

	private final List<String> names = new ArrayList<>();

	private static LockRequest lock(String name) {
		return LockRequest.of(name).withWaitTime(Duration.ofMillis(-1));
	}

	/* Each letter adds one caller in the instance with that name. */
	private void ask(LockRequest request, String instances) {
		instances.chars().forEach((name) -> {
			this.names.add(Character.toString(name));
			this.callers.add(((name == 'a') ? this.a : this.b).ask(request));
		});
	}

	/* Serve callers one at a time; returns the names of their instances in this order. */
	private String serve() {
		StringBuilder served = new StringBuilder();
		int[] had = IntStream.range(0, this.callers.size()).filter((i) -> this.callers.get(i).isDone()).toArray();
		while (had.length > 0) {
			assertThat(had).as("callers that hold the lock at the same time").hasSize(1);
			served.append(this.names.remove(had[0]));
			this.callers.remove(had[0]).join().close();
			had = IntStream.range(0, this.callers.size()).filter((i) -> this.callers.get(i).isDone()).toArray();
		}
		assertThat(this.callers).isEmpty();
		return served.toString();
	}

	/* If the number of hand-offs is zero, their time is zero as well. */
	@ParameterizedTest
	@CsvSource({ "strict, aaaaabbb, abababaa", "three, aaaaaaaaaabbbbbb, aaaabbbbaaaabbaa",
			"orders, aaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbb, aaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbaaabbb" })
	void numberOfHandOffsFollowsRuleOfLockName(String name, String callers, String served) {
		ask(lock(name), callers);
		this.ticker.advance(Duration.ofMillis(1));
		assertThat(serve()).isEqualTo(served);
	}

	@Test
	void zeroLimitAllowsHandOffsWhileNoOtherInstanceWaits() {
		ask(lock("strict"), "aaaaaa");
		assertThat(serve()).isEqualTo("aaaaaa");
		assertThat(this.a.events.count("handed off: LOCAL")).isEqualTo(5);
		// Two acquires and one release: the first caller was alone and was granted one
		// token.
		assertThat(this.store.commands).hasSize(3);
	}

	@Test
	void lockOfRoleIgnoresHandOffLimitOfSameName() {
		assertThat(RULES.of(LockKey.ofRole("strict"))).isEqualTo(HandOffRules.USUAL);
		assertThat(RULES.of(LockKey.of("strict", "42"))).isZero();
	}

	@Test
	void permitsAreGrantedByPlaceInQueueUnderZeroLimit() {
		// The holder's instance takes a place in the queue before others arrive.
		LockRequest two = lock("strict").withPermits(2);
		LockHandle other = engine(BY_NAME).ask(two).join();
		ask(two, "aaaabb");
		assertThat(serve()).isEqualTo("aababa");
		other.close();
	}

	@Test
	void laterReaderWaitsBehindWriterOfOtherInstanceUnderZeroLimit() {
		LockRequest read = lock("strict").withMode(LockMode.READ);
		LockHandle reader = this.a.ask(read).join();
		CompletableFuture<LockHandle> writer = this.b.ask(lock("strict"));
		CompletableFuture<LockHandle> late = this.a.ask(read);
		assertThat(late).isNotDone();
		reader.close();
		assertThat(writer).isCompleted();
		assertThat(late).isNotDone();
		writer.join().close();
		assertThat(late).isCompleted();
		late.join().close();
	}

	@Test
	void threeReadersJoinUnderLimitThreeWhileWriterWaits() {
		LockRequest read = lock("three").withMode(LockMode.READ);
		LockHandle reader = this.a.ask(read).join();
		CompletableFuture<LockHandle> writer = this.b.ask(lock("three"));
		List<CompletableFuture<LockHandle>> late = IntStream.range(0, 5).mapToObj((i) -> this.a.ask(read)).toList();
		assertThat(late.stream().map(CompletableFuture::isDone)).containsExactly(true, true, true, false, false);
		reader.close();
		late.stream().filter(CompletableFuture::isDone).forEach((each) -> each.join().close());
		assertThat(writer).isCompleted();
		writer.join().close();
		late.forEach((each) -> each.join().close());
	}

	@Test
	void zeroLimitAppliesFromNextConfirmationWithoutMessages() {
		TestEngine deaf = deaf(BY_NAME);
		List<CompletableFuture<LockHandle>> here = IntStream.range(0, 5)
			.mapToObj((i) -> deaf.ask(lock("strict")))
			.toList();
		// The first caller was alone and was granted one token, so its instance acquires
		// again.
		here.get(0).join().close();
		CompletableFuture<LockHandle> elsewhere = this.b.ask(lock("strict"));
		here.get(1).join().close();
		this.ticker.advance(Duration.ofMillis(250));
		here.get(2).join().close();
		assertThat(here.get(3)).isCompleted();
		this.ticker.advance(Duration.ofMillis(1));
		here.get(3).join().close();
		assertThat(elsewhere).isCompleted();
		assertThat(here.get(4)).isNotDone();
	}

}
