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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.ObjectUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EmptyResults}.
 */
class EmptyResultsTests {

	@ParameterizedTest
	@ValueSource(classes = { Iterable.class, Collection.class, List.class, ArrayList.class, Set.class,
			NavigableSet.class, Queue.class, BlockingQueue.class })
	void collectionIsEmptyAndNewForEachCall(Class<?> type) {
		Object result = EmptyResults.of(type).get();
		assertThat(result).isInstanceOf(type).matches(ObjectUtils::isEmpty).isNotSameAs(EmptyResults.of(type).get());
	}

	@ParameterizedTest
	@ValueSource(classes = { Map.class, ConcurrentMap.class })
	void resultOfMapTypeIsEmptyMap(Class<?> type) {
		assertThat(EmptyResults.of(type).get()).isInstanceOf(type).matches(ObjectUtils::isEmpty);
	}

	@Test
	void optionalsAndArraysAreEmptyOfTheirType() {
		for (Object expected : List.of(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(),
				OptionalDouble.empty(), new int[0], new String[0])) {
			assertThat(EmptyResults.of(expected.getClass()).get()).isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Stream.class, IntStream.class, BaseStream.class })
	void streamIsOfItsTypeAndNewForEachCall(Class<?> type) {
		assertThat(EmptyResults.of(type).get())
			.as("only type and identity are asserted; say (and check) that the stream is empty")
			.isInstanceOf(type)
			.isNotSameAs(EmptyResults.of(type).get());
	}

	@ParameterizedTest
	@ValueSource(classes = { void.class, Object.class, String.class, Integer.class, Runnable.class })
	void resultOfAllOtherTypesIsNull(Class<?> type) {
		assertThat(EmptyResults.of(type).get()).isNull();
	}

}
