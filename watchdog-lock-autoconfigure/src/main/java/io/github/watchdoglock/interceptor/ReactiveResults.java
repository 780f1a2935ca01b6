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

package io.github.watchdoglock.interceptor;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

/**
 * Makes publishers of what a method returns, and the other way round.
 */
final class ReactiveResults {

	private final ResultType type;

	private final ReactiveAdapter adapter;

	ReactiveResults(ResultType type) {
		ReactiveAdapter adapter = type.adapter();
		Assert.state(adapter != null, "Not a reactive type");
		this.type = type;
		this.adapter = adapter;
	}

	static ReactiveAdapter adapter(boolean several) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
			.getAdapter(several ? Flux.class : Mono.class);
		Assert.state(adapter != null, "Reactor's own types are always known");
		return adapter;
	}

	Publisher<Object> toPublisher(@Nullable Object result) {
		return this.adapter.toPublisher(result);
	}

	/* A single value waits for the end of the publisher. */
	Object fromPublisher(Flux<Object> publisher) {
		return this.adapter.fromPublisher(this.adapter.isMultiValue() ? publisher : publisher.singleOrEmpty());
	}

	/* Null where there is nothing to return. */
	@Nullable Supplier<@Nullable Object> empty() {
		if (this.type.isValue()) {
			Supplier<@Nullable Object> content = EmptyResults.of(this.type.content());
			return () -> Mono.justOrEmpty(content.get());
		}
		if (this.adapter.supportsEmpty()) {
			return () -> fromPublisher(Flux.empty());
		}
		Supplier<@Nullable Object> content = EmptyResults.of(this.type.content());
		return (content.get() != null) ? () -> fromPublisher(Mono.justOrEmpty(content.get()).flux()) : null;
	}

}
