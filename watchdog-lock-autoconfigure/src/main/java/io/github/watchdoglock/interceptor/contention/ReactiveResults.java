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

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

/**
 * The results of reactive methods that were not run.
 */
final class ReactiveResults {

	private ReactiveResults() {
	}

	/* Null if the type has no empty value. */
	static @Nullable Supplier<@Nullable Object> empty(ResultType type) {
		ReactiveAdapter adapter = type.adapter();
		Assert.state(adapter != null, "Not a reactive type");
		Supplier<@Nullable Object> content = EmptyResults.of(type.content());
		if (type.isValue()) {
			return () -> Mono.justOrEmpty(content.get());
		}
		if (adapter.supportsEmpty()) {
			return () -> adapter.fromPublisher(adapter.isMultiValue() ? Flux.empty() : Mono.empty());
		}
		return (content.get() != null) ? () -> adapter.fromPublisher(Mono.justOrEmpty(content.get())) : null;
	}

	static ReactiveAdapter adapter(boolean several) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
			.getAdapter(several ? Flux.class : Mono.class);
		Assert.state(adapter != null, "Reactor's own types are always known");
		return adapter;
	}

}
