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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.fault.ServerProcess;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The locks of all instances in a cluster of three primaries.
 */
@SuppressWarnings("NullAway.Init")
class ClusterSurveyTests extends RedisSurveyContract {

	@RegisterExtension
	static final RedisClusterExtension cluster = new RedisClusterExtension();

	private static LettuceConnectionFactory factory;

	private static RedisLocks locks;

	@BeforeAll
	static void connect() {
		factory = cluster.factory();
		locks = new RedisLocks(factory, RedisLockSettings.defaults());
		locks.connect();
	}

	@AfterAll
	static void disconnect() {
		locks.close();
		factory.destroy();
	}

	@Test
	void eachPrimaryIsAskedOneAfterTheOther() {
		Set<Integer> nodes = new HashSet<>();
		for (int i = 0; i < 30; i++) {
			LockKey key = LockKey.of("orders", "" + i);
			take(key);
			nodes.add(cluster.node(key));
		}
		assertThat(nodes).hasSize(3);
		List<LockKey> told = new ArrayList<>();
		Set<String> asked = new HashSet<>();
		String cursor = null;
		do {
			Held answer = look(cursor, 9);
			answer.locks().forEach((state) -> told.add(state.key()));
			cursor = answer.cursor();
			if (cursor != null) {
				assertThat(cursor).matches("[0-9a-f]{40}-[0-9]+");
				asked.add(cursor.substring(0, 40));
			}
		}
		while (cursor != null);
		assertThat(told).hasSize(30).doesNotHaveDuplicates();
		assertThat(asked).hasSizeGreaterThan(1);
	}

	@Test
	void ofAPrimaryThatIsAwayTheAnswerSaysSo() {
		int away = cluster.ports().get(2);
		Set<LockKey> others = new HashSet<>();
		for (int i = 0; i < 30; i++) {
			LockKey key = LockKey.of("orders", "" + i);
			take(key);
			if (cluster.node(key) != away) {
				others.add(key);
			}
		}
		ServerProcess process = cluster.process(away);
		process.freeze();
		try {
			List<String> gaps = new ArrayList<>();
			List<LockKey> told = new ArrayList<>();
			String cursor = null;
			do {
				// A slow machine has not enough time for all of them at once.
				Held answer = look(cursor, 100);
				gaps.addAll(answer.gaps());
				answer.locks().forEach((state) -> told.add(state.key()));
				cursor = answer.cursor();
			}
			while (cursor != null);
			assertThat(gaps).singleElement().asString().startsWith("a primary was not asked: ");
			assertThat(told).containsExactlyInAnyOrderElementsOf(others);
		}
		finally {
			process.thaw();
		}
	}

	@Test
	void aCursorOfAnotherTopologyIsUnknown() {
		assertThat(survey().look("17", 10)).isInstanceOf(Answer.UnknownCursor.class);
		assertThat(survey().look("0123456789012345678901234567890123456789-17", 10))
			.isInstanceOf(Answer.UnknownCursor.class);
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected void clear() {
		cluster.ports().forEach((port) -> cluster.command(port, "FLUSHALL"));
	}

}
