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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;

import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What steps leave to be done, and who does it.
 */
class StepsTests {

	private final List<String> done = new ArrayList<>();

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final Recorded steps = new Recorded();

	private int calls;

	private boolean noThread;

	private int unheard;

	@Test
	void effectsComeInTheOrderOfTheirSteps() {
		this.steps.change(() -> {
			this.steps.afterwards(() -> {
				this.done.add("first");
				this.steps.change(() -> this.steps.afterwards(() -> this.done.add("third")));
			});
			this.steps.afterwards(() -> this.done.add("second"));
		});
		assertThat(this.done).containsExactly("first", "second", "third");
	}

	@Test
	void whoRunsEffectsGivesTheRestAwayAfterAWhile() {
		this.steps.change(() -> this.steps.afterwards(this::goOnFor1000));
		assertThat(this.done).hasSize(256);
		assertThat(this.pool).hasSize(1);
		// Nobody else runs them meanwhile.
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("other")));
		assertThat(this.done).hasSize(256);
		while (!this.pool.isEmpty()) {
			this.pool.remove().run();
		}
		assertThat(this.done).hasSize(1_000).contains("other");
	}

	@Test
	void theWatchdogGoesOnWhereTheRestCannotBeGivenAway() {
		this.noThread = true;
		this.steps.change(() -> this.steps.afterwards(this::goOnFor1000));
		assertThat(this.done).hasSize(256);
		assertThat(this.calls).isOne();
		this.noThread = false;
		attend();
		assertThat(this.done).hasSize(512);
	}

	@Test
	void theNextOneAsksTheWatchdogWhereItHasNotHeard() {
		this.noThread = true;
		this.unheard = 1;
		this.steps.change(() -> this.steps.afterwards(this::goOnFor1000));
		assertThat(this.calls).isEqualTo(2);
		this.steps.attend(false);
		assertThat(this.calls).isEqualTo(2);
		this.noThread = false;
		attend();
		assertThat(this.done).hasSize(512);
	}

	private void goOnFor1000() {
		this.done.add("");
		if (this.done.size() < 1_000) {
			this.steps.change(() -> this.steps.afterwards(this::goOnFor1000));
		}
	}

	@Test
	void aStepThatThrowsLeavesNothingToDo() {
		OutOfMemoryError failure = new OutOfMemoryError("made up");
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.steps.change(() -> {
			this.steps.afterwards(() -> this.done.add("never"));
			throw failure;
		})).isSameAs(failure);
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("next")));
		attend();
		assertThat(this.done).containsExactly("next");
	}

	@Test
	void anEffectThatFailsIsDoneAgainByTheWatchdogBeforeThoseBehindIt() {
		int[] tries = new int[1];
		this.steps.change(() -> {
			this.steps.afterwards(() -> {
				if (++tries[0] < 3) {
					throw new OutOfMemoryError("made up");
				}
				this.done.add("first");
			});
			this.steps.afterwards(() -> this.done.add("second"));
		});
		assertThat(this.done).isEmpty();
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("third")));
		assertThat(this.done).isEmpty();
		attend();
		assertThat(this.done).isEmpty();
		attend();
		assertThat(this.done).containsExactly("first", "second", "third");
	}

	@Test
	void anEffectThatFailsForGoodDoesNotStopTheOthers() {
		this.steps.change(() -> {
			this.steps.afterwards(() -> {
				throw new NoClassDefFoundError("made up");
			});
			this.steps.afterwards(() -> this.done.add("second"));
		});
		for (int i = 0; i < 100; i++) {
			attend();
		}
		assertThat(this.done).containsExactly("second");
	}

	/* As the watchdog does. */
	private void attend() {
		if (this.steps.endAttention()) {
			this.steps.run();
		}
		this.steps.mend();
	}

	private final class Recorded extends Steps {

		private Recorded() {
			super(new Guard());
		}

		@Override
		void save(Guard guard) {
			// Nothing but effects.
		}

		@Override
		void commit(int uses) {
			// Nothing but effects.
		}

		@Override
		void tidy() {
			// It stays.
		}

		@Override
		void lookAgain() {
			// No alarms.
		}

		@Override
		Threads threads() {
			return Threads.system();
		}

		@Override
		Executor others() {
			return (task) -> {
				if (StepsTests.this.noThread) {
					throw new OutOfMemoryError("made up");
				}
				StepsTests.this.pool.add(task);
			};
		}

		@Override
		void callWatchdog() {
			StepsTests.this.calls++;
			if (StepsTests.this.unheard-- > 0) {
				throw new StackOverflowError("made up");
			}
		}

	}

}
