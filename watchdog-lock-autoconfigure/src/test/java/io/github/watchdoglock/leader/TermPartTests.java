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

package io.github.watchdoglock.leader;

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;
import org.mockito.AdditionalAnswers;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.then;

/**
 * Which parts of a term need a thread for its end.
 */
class TermPartTests {

	private static final String ROLE = "reports";

	private final ManualTicker ticker = new ManualTicker();

	private final Threads threads = Mockito.mock(Threads.class,
			AdditionalAnswers.delegatesTo(new WorkThreads(this.ticker, false)));

	private final TestInstance instance = new TestInstance(this.ticker,
			new InMemoryLeaseStore(this.ticker, this.ticker.wallClock), this.threads);

	@Test
	void whatIsNotInterruptedNeedsNone() {
		this.instance.elections.join(ROLE, null);
		List<LockHandle> handles = enter(OnLoss.REPORT, OnLoss.FAIL, OnLoss.REPORT);
		this.instance.elections.of(ROLE).resign();
		assertThat(handles).allSatisfy((handle) -> assertThat(handle.whenLost().toCompletableFuture()).isCompleted());
		then(this.threads).should(Mockito.never()).start(eq("watchdog-lock-leader"), any());
		handles.forEach(LockHandle::close);
	}

	@Test
	void whatIsInterruptedHasOneEach() {
		GatedWork work = GatedWork.willing();
		this.instance.elections.join(ROLE, work);
		work.awaitBegin(1);
		List<LockHandle> handles = enter(OnLoss.REPORT, OnLoss.INTERRUPT, OnLoss.REPORT, OnLoss.INTERRUPT,
				OnLoss.REPORT);
		this.instance.elections.of(ROLE).resign();
		then(this.threads).should(Mockito.times(3)).start(eq("watchdog-lock-leader"), any());
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		handles.forEach(LockHandle::close);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		work.awaitBegin(2);
	}

	private List<LockHandle> enter(OnLoss... each) {
		List<LockHandle> handles = new ArrayList<>();
		for (OnLoss onLoss : each) {
			LockHandle handle = this.instance.elections.enter(ROLE, onLoss, Thread.currentThread());
			assertThat(handle).isNotNull();
			handles.add(handle);
		}
		return handles;
	}

}
