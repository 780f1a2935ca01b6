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

package io.github.watchdoglock.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Adds to the message of a failure the statements that led to it, from the helper up to
 * the test, and the trace of a test that is {@link Traced}. Active for all tests of the
 * module.
 */
public final class ExplainedFailure implements TestExecutionExceptionHandler {

	private static final Path SOURCES = Path.of("src/test/java");

	private static final int MAX_LINES = 8;

	@Override
	public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
		if (failure instanceof TestAbortedException) {
			throw failure;
		}
		String message = ((failure instanceof AssertionError) ? failure.getMessage() : failure.toString())
				+ statements(context.getRequiredTestClass(), failure)
				+ context.getTestInstance().map(ExplainedFailure::trace).orElse("");
		AssertionError explained = (failure instanceof AssertionFailedError failed)
				? new AssertionFailedError(message, failed.getExpected(), failed.getActual(), failure)
				: new AssertionError(message, failure);
		explained.setStackTrace(failure.getStackTrace());
		throw explained;
	}

	private static String trace(Object test) {
		return (test instanceof Traced traced) ? "\nTrace:\n" + traced.trace().strip().indent(2) : "";
	}

	private static String statements(Class<?> test, Throwable failure) {
		String packages = test.getPackageName();
		List<String> statements = Arrays.stream(failure.getStackTrace())
			.filter((frame) -> frame.getClassName().startsWith(packages))
			.flatMap((frame) -> statement(packages, frame).stream())
			.distinct()
			.limit(3)
			.toList();
		return statements.isEmpty() ? "" : "\nIn: " + String.join("\n in ", statements);
	}

	private static Optional<String> statement(String packages, StackTraceElement frame) {
		Path file = SOURCES.resolve(packages.replace('.', '/')).resolve(String.valueOf(frame.getFileName()));
		try {
			List<String> lines = Files.readAllLines(file);
			StringBuilder statement = new StringBuilder();
			for (int i = frame.getLineNumber() - 1; i < lines.size() && i < frame.getLineNumber() + MAX_LINES; i++) {
				statement.append(lines.get(i).strip());
				if (lines.get(i).endsWith(";") || lines.get(i).endsWith("{")) {
					break;
				}
			}
			return Optional.of(statement + "  (" + frame.getFileName() + ":" + frame.getLineNumber() + ")");
		}
		catch (IOException ex) {
			// Not a source of this module.
			return Optional.empty();
		}
	}

	/**
	 * A test that knows what has happened.
	 */
	public interface Traced {

		/**
		 * Return what has happened so far, in lines.
		 * @return for people who look for the cause of a failure
		 */
		String trace();

	}

}
