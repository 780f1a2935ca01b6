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

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The hook that code with {@link ErrorPoints} calls. Not thread-safe: for code that one
 * thread runs at a time.
 */
public final class ErrorPoint {

	/*
	 * The constant of Fibonacci hashing, so that neighbouring points throw different
	 * errors.
	 */
	private static final long SPREAD = 0x9E3779B97F4A7C15L;

	/** The stack of the error that was thrown. */
	private static StackTraceElement[] place = {};

	private static long armed;

	private static long left;

	private static boolean suspended;

	private ErrorPoint() {
	}

	/**
	 * Throw an error at one of the next points, and at no other. The point decides the
	 * kind: no memory, no stack, or a missing class.
	 * @param point counted from one; zero for none
	 */
	public static void arm(long point) {
		armed = point;
		left = point;
	}

	/**
	 * Forget errors that were thrown earlier.
	 */
	public static void forget() {
		left = 0;
		place = new StackTraceElement[0];
	}

	/**
	 * Return how many points were passed since the count began.
	 * @return the number
	 */
	public static long passed() {
		return -left;
	}

	/**
	 * Return whether a failure is the error that was thrown, or a consequence of it.
	 * @param failure the failure
	 * @return whether it is
	 */
	public static boolean isMadeUp(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof MadeUp)) {
			cause = cause.getCause();
		}
		return cause != null;
	}

	/**
	 * Return whether an error was thrown.
	 * @return whether one was, since errors were forgotten
	 */
	public static boolean wasThrown() {
		return place.length > 0;
	}

	/**
	 * Return the stack of the error that was thrown.
	 * @return the methods, innermost first; empty if none was thrown
	 */
	public static List<StackTraceElement> stack() {
		return List.of(place);
	}

	/**
	 * Return where the error was thrown.
	 * @return the innermost methods, innermost first
	 */
	public static String place() {
		return Stream.of(place)
			.skip(1)
			.limit(8)
			.map((frame) -> frame.getFileName() + ":" + frame.getLineNumber())
			.collect(Collectors.joining(" "));
	}

	/**
	 * Run an action that passes no points.
	 * @param action the action
	 */
	public static void without(Runnable action) {
		boolean before = suspended;
		suspended = true;
		try {
			action.run();
		}
		finally {
			suspended = before;
		}
	}

	/**
	 * Run an action that passes points, inside an action that passes none.
	 * @param action the action
	 */
	public static void with(Runnable action) {
		boolean before = suspended;
		suspended = false;
		try {
			action.run();
		}
		finally {
			suspended = before;
		}
	}

	/**
	 * Pass a point.
	 */
	public static void pass() {
		if (!suspended && --left == 0) {
			throw noting(switch (Math.floorMod(Long.hashCode(armed * SPREAD), 3)) {
				case 0 -> new NoMemory();
				case 1 -> new NoStack();
				default -> new NoClass();
			});
		}
	}

	private static Error noting(Error error) {
		place = error.getStackTrace();
		return error;
	}

	private interface MadeUp {

	}

	private static final class NoMemory extends OutOfMemoryError implements MadeUp {

		private static final long serialVersionUID = 1;

	}

	private static final class NoStack extends StackOverflowError implements MadeUp {

		private static final long serialVersionUID = 1;

	}

	private static final class NoClass extends NoClassDefFoundError implements MadeUp {

		private static final long serialVersionUID = 1;

	}

}
