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

package io.github.watchdoglock.interceptor.contention;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link LateWork}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LateWorkTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			callable      | Callable<String>                 | Callable              | CompletableFuture
			task          | Task                             | Task                  | CompletableFuture
			deferred      | DeferredResult<String>           | DeferredResult        | CompletableFuture
			webTask       | WebAsyncTask<String>             | WebAsyncTask          | CompletableFuture
			body          | StreamingResponseBody            | StreamingResponseBody | a Flux
			emitter       | ResponseBodyEmitter              | ResponseBodyEmitter   | a Flux
			events        | SseEmitter                       | SseEmitter            | a Flux
			generic       | Callable                         | Callable              | CompletableFuture
			ofClass       | Callable<String>                 | Callable              | CompletableFuture
			entity        | ResponseEntity<Callable<String>> | Callable              | CompletableFuture
			bodyEntity    | HttpEntity<StreamingResponseBody> | StreamingResponseBody | a Flux
			optional      | Optional<CompletableFuture<String>> | CompletableFuture  | of everything else
			futures       | List<Future<String>>             | Future                | CompletableFuture
			monos         | Map<String, List<Mono<String>>>  | Mono                  | of everything else
			wildcard      | List<Mono<String>>               | Mono                  | of everything else
			array         | CompletableFuture<String>[]      | CompletableFuture     | of everything else
			batch         | Batch                            | CompletableFuture     | of everything else
			stageOfMono   | CompletableFuture<Mono<String>>  | Mono                  | of everything else
			reactiveBody  | Mono<ResponseEntity<Flux<String>>> | Flux                | of everything else
			""")
	void resultWithWorkAfterReturnIsRejectedWithAdvice(String method, String type, String late, String action) {
		InterceptorFixture.assertRefused(() -> warning(method), action, "." + method + "(",
				"it returns " + type.replace("Batch", "LateWorkTests$Batch").replaceAll(".*[$]", ""),
				"the work of the " + late + " goes on after the return: the lock would be released before");
	}

	@Test
	void resultWithWorkAfterReturnIsRejectedForJobsAndLeaders() {
		InterceptorFixture.assertRefused(() -> this.fixture.check(new Job()), "CompletableFuture",
				"@LockedJob on " + Job.class.getName() + ".run(): it returns Callable<String>");
		InterceptorFixture.assertRefused(() -> this.fixture.check(new Leader()), "CompletableFuture",
				"@LeaderOnly on " + Leader.class.getName() + ".run(): it returns Optional<Future<String>>");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "number", "text", "map", "maps", "stage", "stages", "mono", "flux", "any",
			"anyEntity", "type", "recursive", "self", "page" })
	void resultWithFinishedOrFollowedWorkIsAccepted(String method) {
		assertThatNoException().isThrownBy(() -> warning(method));
		assertThat(warning(method)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			stream     | Stream<String>              | Stream
			iterator   | Iterator<String>            | Iterator
			supplier   | Supplier<String>            | Supplier
			runnable   | Runnable                    | Runnable
			stageLazy  | CompletableFuture<Stream<String>> | Stream
			""")
	void resultThatIsReadLazilyCausesWarning(String method, String type, String lazy) {
		assertThat(warning(method)).startsWith("it returns " + type + ", and what the " + lazy + " does");
	}

	@Test
	void warningIsLoggedOncePerMethod(CapturedOutput output) {
		Contract proxy = this.fixture.interfaceProxy(new Implementation(), Contract.class);
		this.fixture.check(proxy);
		this.fixture.check(proxy);
		assertThat(output.toString().lines().filter((line) -> line.contains("without the lock"))).singleElement()
			.asString()
			.contains("WARN", "@DistributedLock on " + Implementation.class.getName() + ".lines(): it returns Stream");
	}

	@Test
	void callableReturnedAsObjectIsReportedOnce(CapturedOutput output) {
		Work work = this.fixture.proxy(new Work());
		Callable<String> callable = () -> "later";
		assertThat(work.any(callable)).isSameAs(callable);
		work.any(callable);
		assertThat(output.toString().lines().filter((line) -> line.contains("ERROR"))).singleElement()
			.asString()
			.contains("Work.any(Object) declares Object and has returned a ", "whose work runs without the lock",
					"Return a CompletableFuture");
	}

	@Test
	void unfinishedContentOfEntityOrOptionalIsReported(CapturedOutput output) {
		StreamingResponseBody body = (out) -> out.write(1);
		this.fixture.proxy(new Work()).entity(ResponseEntity.ok(body));
		assertThat(output).contains("Work.entity(ResponseEntity) declares ResponseEntity<?> and has returned a ",
				"Return a Flux");
		this.fixture.proxy(new Work()).any(Optional.of(new CompletableFuture<>()));
		assertThat(output).contains("has returned a java.util.concurrent.CompletableFuture, whose work runs");
	}

	@Test
	void finishedValueReturnedAsObjectIsNotReported(CapturedOutput output) {
		Work work = this.fixture.proxy(new Work());
		List<Object> self = new ArrayList<>();
		self.add(self);
		for (Object done : List.of("text", Optional.empty(), ResponseEntity.ok().build(), ResponseEntity.ok("text"),
				Optional.of(CompletableFuture.completedFuture("done")), Map.of(), self)) {
			assertThat(work.any(done)).isSameAs(done);
		}
		assertThat(output).doesNotContain("ERROR");
	}

	private static @Nullable String warning(String method) {
		return ResultType.of(InterceptorFixture.method(Results.class, method), Results.class).warning();
	}

	interface Task extends Callable<String> {

	}

	interface Page<T> extends Iterable<T>, Supplier<Stream<T>> {

	}

	static final class Batch extends ArrayList<CompletableFuture<String>> {

		private static final long serialVersionUID = 1L;

	}

	interface Base<T> {

		T ofClass();

	}

	interface Results extends Base<Callable<String>> {

		Callable<String> callable();

		Task task();

		DeferredResult<String> deferred();

		WebAsyncTask<String> webTask();

		StreamingResponseBody body();

		ResponseBodyEmitter emitter();

		SseEmitter events();

		<T extends Callable<String>> T generic(T value);

		ResponseEntity<Callable<String>> entity();

		HttpEntity<StreamingResponseBody> bodyEntity();

		Optional<CompletableFuture<String>> optional();

		List<Future<String>> futures();

		Map<String, List<Mono<String>>> monos();

		List<? extends Mono<String>> wildcard();

		CompletableFuture<String>[] array();

		Batch batch();

		CompletableFuture<Mono<String>> stageOfMono();

		Mono<ResponseEntity<Flux<String>>> reactiveBody();

		void nothing();

		int number();

		String text();

		Map<String, Results> map();

		List<Map<String, List<int[]>>> maps();

		CompletableFuture<String> stage();

		CompletableFuture<List<String>> stages();

		Mono<ResponseEntity<String>> mono();

		Flux<List<String>> flux();

		Object any();

		ResponseEntity<?> anyEntity();

		Class<? extends Future<?>> type();

		<E extends Enum<E>> E recursive(E value);

		<T extends List<T> & Comparable<T>> T self(T value);

		Page<String> page();

		Stream<String> stream();

		Iterator<String> iterator();

		Supplier<String> supplier();

		Runnable runnable();

		CompletableFuture<Stream<String>> stageLazy();

	}

	interface Contract {

		Stream<String> lines();

	}

	public static class Implementation implements Contract {

		@Override
		@DistributedLock
		public Stream<String> lines() {
			return Stream.empty();
		}

	}

	public static class Job {

		@LockedJob
		public @Nullable Callable<String> run() {
			return null;
		}

	}

	public static class Leader {

		@LeaderOnly("reports")
		public Optional<Future<String>> run() {
			return Optional.empty();
		}

	}

	@DistributedLock("work")
	public static class Work {

		public Object any(Object value) {
			return value;
		}

		public ResponseEntity<?> entity(ResponseEntity<?> value) {
			return value;
		}

	}

}
