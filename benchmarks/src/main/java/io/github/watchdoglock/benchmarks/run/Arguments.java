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
	 * Read the options.
	 * @param args the command line
	 * @param usage the message for an unknown option
	 * @param names the names of options
	 * @return the options that are given
	 * @throws IllegalArgumentException if there is an unknown option, or an argument that
	 * is not an option
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
	 * Return whether an option is given.
	 * @param name the name of the option
	 * @return whether it is given
	 */
	public boolean has(String name) {
		return this.given.containsOption(name);
	}

	/**
	 * Return the value of an option, the last one if there are several.
	 * @param name the name of the option
	 * @return the value; null if there is none
	 */
	public @Nullable String find(String name) {
		List<String> values = this.given.getOptionValues(name);
		return (values == null || values.isEmpty()) ? null : values.get(values.size() - 1);
	}

	/**
	 * Return the value of an option, or a default.
	 * @param name the name of the option
	 * @param fallback the default
	 * @return the value
	 */
	public String find(String name, String fallback) {
		String value = find(name);
		return (value != null) ? value : fallback;
	}

	/**
	 * Return the number of an option, or a default.
	 * @param name the name of the option
	 * @param fallback the default
	 * @return the number
	 */
	public int number(String name, int fallback) {
		String value = find(name);
		return (value != null) ? Integer.parseInt(value) : fallback;
	}

}
