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

package io.github.watchdoglock.benchmarks.run;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * The options of a command line, as in {@code --quick --rounds=5}.
 */
public final class Arguments {

	private final ApplicationArguments given;

	private Arguments(ApplicationArguments given) {
		this.given = given;
	}

	/**
	 * Read them.
	 * @param args the command line
	 * @param usage what is said if there is another option
	 * @param names the names of options
	 * @return the options that are given
	 * @throws IllegalArgumentException if there is anything else
	 */
	public static Arguments parse(String[] args, String usage, String... names) {
		ApplicationArguments given = new DefaultApplicationArguments(args);
		Set<String> known = Set.of(names);
		Stream<String> unknown = given.getOptionNames().stream().filter((name) -> !known.contains(name));
		Stream.concat(given.getNonOptionArgs().stream(), unknown.map("--"::concat)).findFirst().ifPresent((arg) -> {
			throw new IllegalArgumentException("'" + arg + "' is not understood. Usage: " + usage);
		});
		return new Arguments(given);
	}

	/**
	 * Whether an option is given.
	 * @param name its name
	 * @return whether it is
	 */
	public boolean has(String name) {
		return this.given.containsOption(name);
	}

	/**
	 * Return the value of an option, the last one if there are several.
	 * @param name its name
	 * @return the value; null if there is none
	 */
	public @Nullable String find(String name) {
		List<String> values = this.given.getOptionValues(name);
		return (values == null || values.isEmpty()) ? null : values.get(values.size() - 1);
	}

	/**
	 * Return the value of an option, or a default.
	 * @param name its name
	 * @param fallback the default
	 * @return the value
	 */
	public String find(String name, String fallback) {
		String value = find(name);
		return (value != null) ? value : fallback;
	}

	/**
	 * Return the number that an option has, or a default.
	 * @param name its name
	 * @param fallback the default
	 * @return the number
	 */
	public int number(String name, int fallback) {
		String value = find(name);
		return (value != null) ? Integer.parseInt(value) : fallback;
	}

}
