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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.SubmissionPublisher;

import io.github.watchdoglock.interceptor.contention.ResultType.Kind;
import io.github.watchdoglock.support.InterceptorFixture;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.core.SingleSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ResultType} and {@link ReactiveTypes}.
 */
class ResultTypeTests {

	@ParameterizedTest
	@CsvSource({ "nothing, PLAIN", "number, PLAIN", "text, PLAIN", "list, PLAIN", "own, PLAIN", "stage, STAGE",
			"future, STAGE", "mono, REACTIVE", "flux, REACTIVE", "publisher, REACTIVE", "single, REACTIVE",
			"flowable, REACTIVE" })
	void kindOfResultFollowsFromReturnType(String method, Kind kind) {
		ResultType result = result(method);
		assertThat(result.kind()).isEqualTo(kind);
		assertThat(result.adapter() != null).isEqualTo(kind == Kind.REACTIVE);
		assertThat(result.isValue()).isEqualTo(kind == Kind.PLAIN);
	}

	@Test
	void contentIsTypeOfEventualValue() {
		assertThat(result("list").content()).isEqualTo(List.class);
		assertThat(result("stage").content()).isEqualTo(String.class);
		assertThat(result("flux").content()).isEqualTo(Integer.class);
	}

	@ParameterizedTest
	@CsvSource({ "parallel, 'ParallelFlux, which the proxy cannot create', Return a Publisher",
			"submission, 'SubmissionPublisher, which the proxy cannot create', Return a",
			"ownPublisher, 'OwnPublisher, which the proxy cannot create', Return a Publisher",
			"source, 'SingleSource, whose end cannot be observed', ReactiveAdapterRegistry" })
	void returnTypeThatCannotBeFollowedIsRejected(String method, String problem, String action) {
		for (String part : List.of(action, "LockService.acquireAsync")) {
			InterceptorFixture.assertRefused(() -> result(method), part, "Results." + method + "()",
					"it returns a " + problem);
		}
	}

	private static ResultType result(String method) {
		return ResultType.of(InterceptorFixture.method(Results.class, method), Results.class);
	}

	interface OwnPublisher<T> extends Publisher<T> {

	}

	interface Own {

	}

	interface Results {

		void nothing();

		int number();

		@Nullable String text();

		List<String> list();

		Own own();

		CompletionStage<String> stage();

		CompletableFuture<String> future();

		Mono<String> mono();

		Flux<Integer> flux();

		Publisher<String> publisher();

		Single<String> single();

		Flowable<String> flowable();

		ParallelFlux<String> parallel();

		SubmissionPublisher<String> submission();

		OwnPublisher<String> ownPublisher();

		SingleSource<String> source();

	}

}
