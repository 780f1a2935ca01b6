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

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the end of a key's state that fails itself.
 */
class KeyTasksTests extends TwoInstances {

	@Test
	void firstErrorIsCauseWhenEndOfStateFailsToo() {
		this.firstInstance.ask(ORDERS).join();
		FailingEnd tasks = new FailingEnd(this.firstInstance.lock(KEY).keys());
		tasks.run(() -> {
			throw new OutOfMemoryError("of the task");
		});
		this.firstInstance.turn();
		assertThat(tasks.causes).extracting(Throwable::getMessage).containsExactly("of the task", "of the task");
	}

	/**
	 * A key whose state fails to end once.
	 */
	private static final class FailingEnd extends KeyTasks {

		private final List<Throwable> causes = new ArrayList<>();

		private FailingEnd(Keys keys) {
			super(KEY, keys);
		}

		@Override
		long due() {
			return Alarm.NEVER;
		}

		@Override
		void processDueState(long now) {
		}

		@Override
		boolean hasState() {
			return this.causes.size() < 2;
		}

		@Override
		void endState(Throwable cause) {
			this.causes.add(cause);
			if (this.causes.size() == 1) {
				throw new IllegalStateException("of the end");
			}
		}

	}

}
