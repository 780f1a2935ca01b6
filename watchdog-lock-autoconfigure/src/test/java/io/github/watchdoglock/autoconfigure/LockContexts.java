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

package io.github.watchdoglock.autoconfigure;

import java.util.stream.Stream;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Contexts of applications with all auto-configurations of the library.
 */
public final class LockContexts {

	private LockContexts() {
	}

	/**
	 * Create a context that keeps its locks in the JVM.
	 * @param neighbours further auto-configurations
	 * @return the context
	 */
	public static ApplicationContextRunner local(Class<?>... neighbours) {
		return plain(neighbours).withPropertyValues("watchdog-lock.store=local");
	}

	/**
	 * Create a context whose other beans and properties decide where locks are kept.
	 * @param neighbours further auto-configurations
	 * @return the context
	 */
	static ApplicationContextRunner plain(Class<?>... neighbours) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ours()))
			.withConfiguration(AutoConfigurations.of(neighbours));
	}

	/* Assert that an application does not start, and that the message has these parts. */
	static ContextConsumer<AssertableApplicationContext> rejected(String... messages) {
		return (context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(LockConfigurationException.class)
			.hasMessageContainingAll(messages);
	}

	static Leadership awaitLeader(ApplicationContext context) {
		Leadership leadership = context.getBean(LeaderElection.class).of("reports");
		await().until(leadership::isLeader);
		return leadership;
	}

	/* Another instance that uses the same store. */
	static LockEngine other(ApplicationContext context) {
		InMemoryLeaseStore store = context.getBean(InMemoryLeaseStore.class);
		return new LockEngine(EngineSettings.of("other"), store, store, store);
	}

	static Class<?>[] ours() {
		return names().map((name) -> ClassUtils.resolveClassName(name, null)).toArray(Class<?>[]::new);
	}

	static Stream<String> names() {
		return ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.github.watchdoglock."))
			.sorted();
	}

}
