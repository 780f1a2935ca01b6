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

package io.github.watchdoglock.benchmarks.lock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import io.github.watchdoglock.LockRequest;

/**
 * Makes requests for locks, of this build and of earlier ones. A call that is compiled
 * works where {@link LockRequest} is an interface, or where it is a class, and not in
 * both; a constant handle costs no more.
 */
final class Requests {

	private static final MethodHandle OF = of();

	private Requests() {
	}

	static LockRequest of(String name, String id) {
		try {
			return (LockRequest) OF.invokeExact(name, id);
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle of() {
		try {
			return MethodHandles.publicLookup()
				.findStatic(LockRequest.class, "of",
						MethodType.methodType(LockRequest.class, String.class, String.class));
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

}
