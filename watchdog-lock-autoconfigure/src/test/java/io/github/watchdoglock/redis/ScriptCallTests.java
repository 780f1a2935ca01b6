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
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ScriptCall} and its timeout.
 */
class ScriptCallTests {

	@AutoClose
	private final CallTimeouts timer = new CallTimeouts();

	private final List<String> heard = new CopyOnWriteArrayList<>();

	@Test
	void connectionIsNotifiedOfTimeoutBeforeCallEnds() {
		ScriptCall<List<String>> call = call();
		var unused = call.whenComplete((answer, failure) -> this.heard.add("ended"));
		assertThatThrownBy(() -> call.within(Duration.ofMillis(50), this.timer).join())
			.hasCauseInstanceOf(TimeoutException.class);
		await().until(() -> this.heard.size() == 3);
		assertThat(this.heard).containsExactly("unanswered", "ended", "cancelled");
	}

	@Test
	void timeoutMessageDependsOnWhetherCallWasSent() {
		ScriptCall<List<String>> sent = call();
		CompletableFuture<List<String>> answer = sent.within(Duration.ofMillis(50), this.timer);
		assertThat(sent.send()).isTrue();
		assertThatThrownBy(answer::join).cause()
			.isInstanceOf(TimeoutException.class)
			.hasMessage("no response within 50 ms");
		assertThatThrownBy(() -> call().within(Duration.ofMillis(50), this.timer).join()).cause()
			.isInstanceOf(TimeoutException.class)
			.hasMessage("the connection is still being opened");
	}

	@Test
	void callThatWasAnsweredHasNoTimeout() {
		ScriptCall<List<String>> answered = call();
		CompletableFuture<List<String>> answer = answered.within(Duration.ofMillis(20), this.timer);
		answered.complete(List.of("done"));
		assertThatThrownBy(() -> call().within(Duration.ofMillis(50), this.timer).join()).isNotNull();
		assertThat(answer.join()).containsExactly("done");
		await().until(() -> this.heard.contains("cancelled"));
		assertThat(this.heard).containsExactly("unanswered", "cancelled");
	}

	@Test
	void timeoutBeginsWhenCallIsSentAfterConnecting() {
		ScriptCall<List<String>> call = call();
		CompletableFuture<List<String>> answer = call.within(Duration.ofMillis(400), this.timer);
		call.mayConnect();
		await().during(Duration.ofMillis(600)).until(() -> !answer.isDone());
		long sentAt = System.nanoTime();
		assertThat(call.send()).isTrue();
		assertThatThrownBy(answer::join).cause().hasMessage("no response within 400 ms");
		assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isBetween(Duration.ofMillis(400),
				Duration.ofMillis(2_000));
	}

	@Test
	void callFailsAtOnceWhenTimeoutsAreClosed() {
		this.timer.close();
		assertThatThrownBy(() -> call().within(Duration.ofSeconds(60), this.timer).join()).cause().hasMessage("closed");
	}

	@Test
	void connectionErrorDoesNotPreventTimeoutOfOtherCall() {
		ScriptCall<List<String>> broken = new ScriptCall<>(LockScript.FIND,
				new EncodedArguments(LockScript.FIND, List.of(new byte[0])), Function.identity(), null);
		broken.sentBy((waited) -> {
			throw new NoClassDefFoundError("broken on purpose");
		}, new CompletableFuture<>());
		CompletableFuture<List<String>> first = broken.within(Duration.ofMillis(20), this.timer);
		CompletableFuture<List<String>> second = call().within(Duration.ofMillis(20), this.timer);
		assertThatThrownBy(first::join).hasCauseInstanceOf(TimeoutException.class);
		assertThatThrownBy(second::join).hasCauseInstanceOf(TimeoutException.class);
	}

	private ScriptCall<List<String>> call() {
		CompletableFuture<Void> reply = new CompletableFuture<>();
		var unused = reply.whenComplete((nothing, cancelled) -> this.heard.add("cancelled"));
		ScriptCall<List<String>> call = new ScriptCall<>(LockScript.FIND,
				new EncodedArguments(LockScript.FIND, List.of(new byte[0])), Function.identity(), null);
		call.sentBy((waited) -> this.heard.add("unanswered"), reply);
		return call;
	}

}
