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
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Steps of which some part fails, and what happens under their lock.
 */
class UnluckyStepsTests {

	private final List<String> done = new ArrayList<>();

	private final Queue<Runnable> pool = new ArrayDeque<>();

	private final Recorded steps = new Recorded();

	private final Counter counter = new Counter();

	private final Counter another = new Counter();

	@Test
	void stepsAndWhatBelongsToThemHappenUnderTheLockAndEffectsDoNot() {
		this.steps.locked = new ArrayList<>();
		this.steps.change(() -> {
			note("step");
			this.steps.afterwards(() -> note("effect"));
		});
		assertThat(this.steps.locked).containsExactly("save: true", "step: true", "leave: true", "commit: true",
				"effect: false", "tidy: true");
		this.steps.locked.clear();
		this.steps.change(() -> note("step"));
		assertThat(this.steps.locked).containsExactly("save: true", "step: true", "commit: true", "tidy: true");
		this.steps.locked.clear();
		this.steps.defer(effect(() -> note("effect")));
		assertThat(this.steps.locked).containsExactly("leave: true");
		this.steps.locked.clear();
		attend();
		assertThat(this.steps.locked).containsExactly("save: true", "look: true", "commit: true", "effect: false",
				"tidy: true");
	}

	@Test
	void nothingIsTidiedUpWhileEffectsAreRun() {
		this.steps.change(() -> this.steps.afterwards(() -> {
			this.steps.change(() -> this.done.add("step"));
			assertThat(this.steps.tidied).isZero();
			this.done.add("effect");
		}));
		assertThat(this.done).containsExactly("step", "effect");
		assertThat(this.steps.tidied).isOne();
	}

	@Test
	void whatCannotBeSavedIsNotChanged() {
		OutOfMemoryError failure = new OutOfMemoryError("made up");
		this.steps.savingFails = failure;
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.steps.change(() -> this.done.add("never")))
			.isSameAs(failure);
		assertThat(this.done).isEmpty();
		assertThat(this.steps.calls).isOne();
		this.steps.savingFails = null;
		attend();
		assertThat(this.steps.looks).isOne();
	}

	@Test
	void aStepWhoseLastPartFailsIsPutBackAsAWhole() {
		this.counter.value = 1;
		this.another.value = 1;
		this.steps.value = 1;
		OutOfMemoryError failure = new OutOfMemoryError("made up");
		this.steps.committingFails = failure;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.steps.change(this.counter, () -> {
			this.steps.value = 2;
			this.counter.value = 2;
			this.steps.keep(this.another);
			this.another.value = 2;
			this.steps.afterwards(() -> this.done.add("never"));
		})).isSameAs(failure);
		assertThat(this.steps.value).isOne();
		assertThat(this.counter.value).isOne();
		assertThat(this.another.value).isOne();
		this.steps.committingFails = null;
		attend();
		assertThat(this.done).isEmpty();
		assertThat(this.steps.calls).isOne();
	}

	@Test
	void whatIsKeptTwiceInAStepIsPutBackToTheFirst() {
		assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> this.steps.change(this.counter, () -> {
			this.counter.value = 1;
			this.steps.keep(this.counter);
			this.counter.value = 2;
			throw new LinkageError("made up");
		}));
		assertThat(this.counter.value).isZero();
	}

	@Test
	void whatHasHappenedIsNotPutBackByALaterFailure() {
		this.steps.change(this.counter, () -> this.counter.value = 1);
		fail(() -> this.steps.keep(this.another));
		assertThat(this.counter.value).isOne();
		// Nor a second time, where that has been put back before.
		this.another.value = 1;
		fail(() -> this.done.add("failed"));
		assertThat(this.another.value).isOne();
	}

	@Test
	void aStepThatFailsLeavesAloneWhatWasDueBefore() {
		this.steps.change(() -> this.steps.afterwards(() -> {
			this.steps.change(() -> {
				this.steps.afterwards(() -> this.done.add("first"));
				this.steps.afterwards(() -> this.done.add("second"));
			});
			fail(() -> this.steps.afterwards(() -> this.done.add("never")));
			this.steps.change(() -> this.steps.afterwards(() -> this.done.add("third")));
		}));
		assertThat(this.done).containsExactly("first", "second", "third");
	}

	@Test
	void usesAreCountedForEachStepByItself() {
		this.steps.change(() -> {
			this.steps.beginUse();
			this.steps.beginUse();
		});
		this.steps.change(() -> this.done.add("none"));
		this.steps.change(this.steps::beginUse);
		fail(this.steps::beginUse);
		this.steps.change(this.steps::beginUse);
		assertThat(this.steps.uses).containsExactly(2, 0, 1, 1);
	}

	@Test
	void theWatchdogIsCalledOnceUntilItHasCome() {
		assertThat(this.steps.beginAttention(false)).isTrue();
		assertThat(this.steps.beginAttention(false)).isFalse();
		this.steps.attend(false);
		assertThat(this.steps.calls).isZero();
		assertThat(this.steps.endAttention()).isFalse();
		this.steps.attend(false);
		this.steps.attend(true);
		this.steps.attend(false);
		assertThat(this.steps.calls).isOne();
		assertThat(this.steps.endAttention()).isTrue();
		assertThat(this.steps.endAttention()).isFalse();
		this.steps.attend(true);
		assertThat(this.steps.calls).isEqualTo(2);
	}

	@Test
	void theWatchdogTidiesUpWhatCouldNotBe() {
		this.steps.tidyingFails = new OutOfMemoryError("made up");
		this.steps.change(() -> this.done.add("first"));
		assertThat(this.steps.calls).isOne();
		// There is nothing to run, so the watchdog need not.
		assertThat(this.steps.endAttention()).isFalse();
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("second")));
		assertThat(this.steps.calls).isEqualTo(2);
		this.steps.tidyingFails = null;
		assertThat(this.steps.endAttention()).isFalse();
		this.steps.mend();
		assertThat(this.steps.tidied).isOne();
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("third")));
		assertThat(this.done).containsExactly("first", "second", "third");
		assertThat(this.steps.calls).isEqualTo(2);
	}

	@Test
	void theWatchdogRunsEffectsOfAThreadThatCannotGoOn() {
		this.steps.proceedingFails = new StackOverflowError("made up");
		this.steps.change(() -> this.steps.afterwards(() -> this.done.add("effect")));
		assertThat(this.done).isEmpty();
		assertThat(this.steps.calls).isOne();
		this.steps.proceedingFails = null;
		attend();
		assertThat(this.done).containsExactly("effect");
	}

	@Test
	void whatIsDeferredIsDoneByTheWatchdogBehindWhatIsDue() {
		this.steps.change(() -> this.steps.afterwards(() -> {
			this.steps.change(() -> this.steps.afterwards(() -> this.done.add("due")));
			this.steps.defer(effect(() -> this.done.add("deferred")));
		}));
		assertThat(this.done).containsExactly("due", "deferred");
		assertThat(this.steps.calls).isOne();
		assertThat(this.steps.endAttention()).isFalse();
		this.steps.defer(effect(() -> this.done.add("later")));
		assertThat(this.done).hasSize(2);
		assertThat(this.steps.calls).isEqualTo(2);
		attend();
		assertThat(this.done).containsExactly("due", "deferred", "later");
	}

	@Test
	void anEffectIsTriedAHundredTimesAndThenGivenUpWithAWord() {
		int[] tries = new int[1];
		NoClassDefFoundError failure = new NoClassDefFoundError("made up");
		this.steps.change(() -> {
			this.steps.afterwards(() -> {
				tries[0]++;
				throw failure;
			});
			this.steps.afterwards(() -> this.done.add("second"));
		});
		for (int i = 2; i < 100; i++) {
			attend();
		}
		assertThat(tries[0]).isEqualTo(99);
		assertThat(this.done).isEmpty();
		assertThat(this.pool).isEmpty();
		attend();
		assertThat(tries[0]).isEqualTo(100);
		assertThat(this.done).containsExactly("second");
		assertThat(this.pool).hasSize(1);
		assertThat(logged(this.pool.remove())).singleElement().extracting(LogRecord::getThrown).isSameAs(failure);
		attend();
		assertThat(tries[0]).isEqualTo(100);
	}

	@Test
	void whoSaysSoIsNotNeededForThat() {
		this.steps.noThread = true;
		this.steps.change(() -> {
			this.steps.afterwards(() -> {
				throw new NoClassDefFoundError("made up");
			});
			this.steps.afterwards(() -> this.done.add("second"));
		});
		for (int i = 1; i < 100; i++) {
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

	/* A step that throws when it has done something. */
	private void fail(Runnable begin) {
		assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> this.steps.change(() -> {
			begin.run();
			throw new LinkageError("made up");
		}));
	}

	private static List<LogRecord> logged(Runnable task) {
		List<LogRecord> entries = new ArrayList<>();
		Logger logger = Logger.getLogger(Steps.class.getName());
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord entry) {
				entries.add(entry);
			}

			@Override
			public void flush() {
				// Nothing is kept back.
			}

			@Override
			public void close() {
				// Nothing is open.
			}

		};
		boolean usually = logger.getUseParentHandlers();
		logger.setUseParentHandlers(false);
		logger.addHandler(handler);
		try {
			task.run();
		}
		finally {
			logger.removeHandler(handler);
			logger.setUseParentHandlers(usually);
		}
		return entries;
	}

	private static Steps.Effect effect(Runnable action) {
		return new Steps.Effect() {

			@Override
			void proceed() {
				action.run();
			}

		};
	}

	private void note(String what) {
		this.steps.note(what);
	}

	/**
	 * Something besides that steps change.
	 */
	private static final class Counter implements Steps.Revertible {

		private int value;

		@Override
		public void save(Steps.Guard guard) {
			guard.keep(this);
		}

		@Override
		public Object copy() {
			return this.value;
		}

		@Override
		public void revert(Object before) {
			this.value = (Integer) before;
		}

	}

	private final class Recorded extends Steps implements Steps.Revertible {

		/** What has happened, and whether under the lock; null while it is not noted. */
		private @Nullable List<String> locked;

		private final List<Integer> uses = new ArrayList<>();

		private int value;

		private int tidied;

		private int looks;

		private int calls;

		private boolean noThread;

		private @Nullable Error savingFails;

		private @Nullable Error committingFails;

		private @Nullable Error tidyingFails;

		private @Nullable Error proceedingFails;

		private Recorded() {
			super(new Guard());
		}

		private void note(String what) {
			if (this.locked != null) {
				this.locked.add(what + ": " + isLocked());
			}
		}

		/* Whether this thread has the lock, which it could not take then. */
		private boolean isLocked() {
			try {
				this.guard.lock.lock();
			}
			catch (IllegalStateException ex) {
				return true;
			}
			this.guard.lock.unlock();
			return false;
		}

		private static void failWith(@Nullable Error failure) {
			if (failure != null) {
				throw failure;
			}
		}

		@Override
		public void save(Guard guard) {
			note("save");
			failWith(this.savingFails);
			guard.keep(this);
		}

		@Override
		public Object copy() {
			return this.value;
		}

		@Override
		public void revert(Object before) {
			this.value = (Integer) before;
		}

		@Override
		void leave(Effect effect) {
			note("leave");
			super.leave(effect);
		}

		@Override
		void commit(int uses) {
			note("commit");
			failWith(this.committingFails);
			this.uses.add(uses);
		}

		@Override
		void tidy() {
			note("tidy");
			failWith(this.tidyingFails);
			this.tidied++;
		}

		@Override
		void lookAgain() {
			note("look");
			this.looks++;
		}

		@Override
		Threads threads() {
			failWith(this.proceedingFails);
			return Threads.system();
		}

		@Override
		Executor others() {
			return (task) -> {
				if (this.noThread) {
					throw new OutOfMemoryError("made up");
				}
				UnluckyStepsTests.this.pool.add(task);
			};
		}

		@Override
		void callWatchdog() {
			this.calls++;
		}

	}

}
