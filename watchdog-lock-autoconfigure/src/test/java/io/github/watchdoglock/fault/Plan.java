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

package io.github.watchdoglock.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The plan for one future command. Thread-safe.
 */
final class Plan {

	private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

	private volatile UnaryOperator<List<String>> replacement = UnaryOperator.identity();

	void replace(UnaryOperator<List<String>> replacement) {
		this.replacement = replacement;
	}

	/* The words to send in place of a command; the same words if it is not replaced. */
	List<String> sent(List<String> command) {
		return this.replacement.apply(command);
	}

	void add(Predicate<List<String>> commands, Fate fate) {
		this.steps.add(new Step(commands, fate));
	}

	/* Each step of the plan is used for one command. */
	Fate take(List<String> command) {
		Optional<Step> step = this.steps.stream().filter((each) -> each.commands().test(command)).findFirst();
		return (step.isPresent() && this.steps.remove(step.get())) ? step.get().fate() : Fate.NONE;
	}

	boolean isEmpty() {
		return this.steps.isEmpty();
	}

	void clear() {
		this.steps.clear();
	}

	private record Step(Predicate<List<String>> commands, Fate fate) {

	}

	/**
	 * The fate of a command and its answer.
	 *
	 * @param fault the fault, or null
	 * @param afterwards the state of the connection of a lost answer
	 * @param delay how much later the answer arrives
	 */
	record Fate(Fault fault, Afterwards afterwards, Duration delay) {

		static final Fate NONE = new Fate(null, null, Duration.ZERO);

	}

}
