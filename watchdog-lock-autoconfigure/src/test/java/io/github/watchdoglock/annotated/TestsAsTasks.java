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

package io.github.watchdoglock.annotated;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

import org.springframework.context.ApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the methods of a test class as tasks of an application that asks for virtual
 * threads, and sees to it that it has them where the JDK does.
 */
interface TestsAsTasks extends InvocationInterceptor {

	/** Asks for virtual threads. */
	String VIRTUAL = "spring.threads.virtual.enabled=true";

	ApplicationContext instance();

	@Override
	default void interceptTestMethod(Invocation<Void> test, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		run(test);
	}

	@Override
	default void interceptTestTemplateMethod(Invocation<Void> test, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		run(test);
	}

	private void run(Invocation<Void> test) throws Throwable {
		CompletableFuture<Void> outcome = new CompletableFuture<>();
		instance().getBean("applicationTaskExecutor", AsyncTaskExecutor.class).execute(() -> {
			try {
				assertThat(Thread.currentThread().toString().startsWith("VirtualThread"))
					.isEqualTo(Runtime.version().feature() >= 21);
				outcome.complete(test.proceed());
			}
			catch (Throwable ex) {
				outcome.completeExceptionally(ex);
			}
		});
		try {
			outcome.get(2, TimeUnit.MINUTES);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

}
