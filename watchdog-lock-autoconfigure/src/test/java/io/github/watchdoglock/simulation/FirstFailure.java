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

package io.github.watchdoglock.simulation;

import java.io.PrintStream;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A runner of the fast tests of some packages until one fails. It prints the name of that
 * test, or that all have passed. For a JVM of its own, which it ends.
 */
public final class FirstFailure implements TestExecutionListener {

	static final String PASSED = "passed";

	private final PrintStream output;

	private FirstFailure(PrintStream output) {
		this.output = output;
	}

	/**
	 * Run the tests.
	 * @param packages the packages of the tests
	 */
	public static void main(String[] packages) {
		PrintStream output = System.out;
		System.setOut(new PrintStream(PrintStream.nullOutputStream()));
		LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
			.filters(TagFilter.excludeTags("slow"), ClassNameFilter.includeClassNamePatterns(".*Tests"));
		for (String each : packages) {
			request.selectors(DiscoverySelectors.selectPackage(each));
		}
		LauncherFactory.create().execute(request.build(), new FirstFailure(output));
		output.println(PASSED);
		end(output);
	}

	@Override
	public void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (result.getStatus() == Status.FAILED) {
			this.output.println(test.getSource()
				.filter(MethodSource.class::isInstance)
				.map(MethodSource.class::cast)
				.map((method) -> method.getClassName().replaceFirst(".*\\.", "") + "." + method.getMethodName())
				.orElseGet(test::getDisplayName));
			end(this.output);
		}
	}

	/* Ends threads that the tests have left running. */
	private static void end(PrintStream output) {
		output.flush();
		Runtime.getRuntime().halt(0);
	}

}
