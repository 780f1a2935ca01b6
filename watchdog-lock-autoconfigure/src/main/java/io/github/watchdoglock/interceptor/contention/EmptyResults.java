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

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The results of methods that were not run: the empty value of the type, or null if it
 * has none. For an asynchronous type, a result that is completed with this value.
 * Collections and maps are created for each call, and are mutable.
 */
final class EmptyResults {

	/* In the order in which they are tried. */
	private static final List<Supplier<@Nullable Object>> CONTAINERS = List.of(Optional::empty, OptionalInt::empty,
			OptionalLong::empty, OptionalDouble::empty, Stream::empty, IntStream::empty, LongStream::empty,
			DoubleStream::empty, ArrayList::new, LinkedHashSet::new, TreeSet::new, ArrayDeque::new,
			LinkedBlockingDeque::new, LinkedHashMap::new, TreeMap::new, ConcurrentHashMap::new,
			ConcurrentSkipListMap::new);

	private EmptyResults() {
	}

	/* Null if the type has no empty value. */
	static @Nullable Supplier<@Nullable Object> of(ResultType result) {
		Class<?> type = result.type();
		Supplier<@Nullable Object> content = of(result.content());
		return switch (result.kind()) {
			case PLAIN -> (type.isPrimitive() && type != void.class) ? null : content;
			case STAGE -> () -> (CompletionStage<?>) CompletableFuture.completedFuture(content.get());
			case REACTIVE -> ReactiveResults.empty(result);
		};
	}

	static Supplier<@Nullable Object> of(Class<?> type) {
		if (type.isArray()) {
			return () -> Array.newInstance(type.getComponentType(), 0);
		}
		if (isContainer(type)) {
			for (Supplier<@Nullable Object> container : CONTAINERS) {
				if (type.isInstance(container.get())) {
					return container;
				}
			}
		}
		return () -> null;
	}

	private static boolean isContainer(Class<?> type) {
		return type == Iterable.class || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
				|| BaseStream.class.isAssignableFrom(type) || type.getName().startsWith("java.util.Optional");
	}

}
