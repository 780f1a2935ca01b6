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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link TimeOuts}, by way of calls.
 */
class TimeOutsTests {

	private final TimeOuts timeOuts = new TimeOuts();

	private final List<String> heard = new CopyOnWriteArrayList<>();

	@Test
	void driverHearsBeforeWhoWaits() {
		ScriptCall call = call();
		var unused = call.answer().whenComplete((answer, failure) -> this.heard.add("ended"));
		assertThatThrownBy(() -> call.within(Duration.ofMillis(50), this.timeOuts).join())
			.hasCauseInstanceOf(TimeoutException.class);
		await().until(() -> this.heard.size() == 3);
		assertThat(this.heard).containsExactly("distrusted", "ended", "dropped");
	}

	@Test
	void reasonDependsOnWhetherTheCallWasSent() {
		ScriptCall sent = call();
		CompletableFuture<List<String>> answer = sent.within(Duration.ofMillis(50), this.timeOuts);
		assertThat(sent.send()).isTrue();
		assertThatThrownBy(answer::join).cause()
			.isInstanceOf(TimeoutException.class)
			.hasMessage("no response within 50 ms");
		assertThatThrownBy(() -> call().within(Duration.ofMillis(50), this.timeOuts).join()).cause()
			.isInstanceOf(TimeoutException.class)
			.hasMessage("the connection is still being opened");
	}

	@Test
	void callThatWasAnsweredDistrustsNobody() {
		ScriptCall answered = call();
		CompletableFuture<List<String>> answer = answered.within(Duration.ofMillis(20), this.timeOuts);
		answered.answer().complete(List.of("done"));
		assertThatThrownBy(() -> call().within(Duration.ofMillis(50), this.timeOuts).join()).isNotNull();
		assertThat(answer.join()).containsExactly("done");
		await().until(() -> this.heard.contains("dropped"));
		assertThat(this.heard).containsExactly("distrusted", "dropped");
	}

	@Test
	void itsThreadIsGivenWayByThoseThatShareLocksWithIt() {
		CompletableFuture<Integer> priority = new CompletableFuture<>();
		ScriptCall call = new ScriptCall(LockScript.FIND, List.of(), List.of());
		call.carriedBy(new ScriptCall.Carrier() {

			@Override
			public void unanswered(Duration timeout) {
				priority.complete(Thread.currentThread().getPriority());
			}

			@Override
			public void cancel() {
				// There is nothing to cancel.
			}

		});
		assertThatThrownBy(() -> call.within(Duration.ofMillis(50), this.timeOuts).join()).isNotNull();
		assertThat(priority.join()).isEqualTo(Thread.MAX_PRIORITY);
	}

	@Test
	void futuresOfOthersThatBlockDelayNobody() throws Exception {
		CountDownLatch blocking = new CountDownLatch(1);
		CompletableFuture<Void> blocked = new CompletableFuture<>();
		CompletableFuture<Void> theirs = new CompletableFuture<>();
		// Attached before, so that the thread that ends the future runs it.
		var unused = theirs.whenComplete((value, failure) -> {
			blocking.countDown();
			blocked.join();
		});
		try {
			var unusedToo = theirs.orTimeout(1, TimeUnit.MILLISECONDS);
			assertThat(blocking.await(5, TimeUnit.SECONDS)).isTrue();
			CompletableFuture<List<String>> call = call().within(Duration.ofMillis(50), this.timeOuts);
			assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
				.hasCauseInstanceOf(TimeoutException.class);
		}
		finally {
			blocked.complete(null);
		}
	}

	@Test
	void driverThatThrowsKeepsNoOtherCallAlive() {
		ScriptCall broken = new ScriptCall(LockScript.FIND, List.of(), List.of());
		broken.carriedBy(new ScriptCall.Carrier() {

			@Override
			public void unanswered(Duration timeout) {
				throw new IllegalStateException("broken on purpose");
			}

			@Override
			public void cancel() {
			}

		});
		CompletableFuture<List<String>> first = broken.within(Duration.ofMillis(20), this.timeOuts);
		CompletableFuture<List<String>> second = call().within(Duration.ofMillis(20), this.timeOuts);
		assertThatThrownBy(first::join).hasCauseInstanceOf(TimeoutException.class);
		assertThatThrownBy(second::join).hasCauseInstanceOf(TimeoutException.class);
	}

	private ScriptCall call() {
		ScriptCall call = new ScriptCall(LockScript.FIND, List.of(), List.of());
		call.carriedBy(new ScriptCall.Carrier() {

			@Override
			public void unanswered(Duration timeout) {
				TimeOutsTests.this.heard.add("distrusted");
			}

			@Override
			public void cancel() {
				TimeOutsTests.this.heard.add("dropped");
			}

		});
		return call;
	}

}
