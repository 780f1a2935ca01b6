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

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The label of an instance for people: {@code name@host:port}, or {@code name@host#pid}
 * if no web server has a port, or before the port is known. It is computed when the
 * engine is created and when a context has started, because it is read in tasks of keys.
 * Thread-safe.
 */
final class InstanceLabel implements Supplier<String>, ApplicationListener<ContextRefreshedEvent> {

	private final ApplicationContext context;

	/* Finding the host may take seconds. */
	private final Supplier<String> instance;

	/* Guards writes: a label without the port must not replace one with the port. */
	private final ReentrantLock lock = new ReentrantLock();

	/* Null until it is needed. */
	private volatile @Nullable String label;

	InstanceLabel(WatchdogLockProperties properties, ApplicationContext context) {
		this.context = context;
		Environment environment = context.getEnvironment();
		this.instance = SingletonSupplier
			.of(() -> PrintableText.of(name(properties, environment) + "@" + findHost(environment)));
	}

	/*
	 * Web servers start before this event, but the web server of a child context after
	 * it.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.lock.lock();
		try {
			if (this.label != null) {
				resolve();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Finds the host and the port, so it must not be called in a task of a key. */
	String resolve() {
		String found = this.instance.get();
		this.lock.lock();
		try {
			// Spring Boot sets this property for each kind of web server.
			String port = this.context.getEnvironment().getProperty("local.server.port");
			String resolved = found + ((port != null) ? ":" + port : "#" + ProcessHandle.current().pid());
			this.label = resolved;
			return resolved;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String get() {
		String known = this.label;
		return (known != null) ? known : resolve();
	}

	/* Redis rejects client names with spaces or characters beyond ASCII. */
	static String clientName(WatchdogLockProperties properties, Environment environment) {
		return "watchdog-lock:" + name(properties, environment).replaceAll("[^!-~]", "-");
	}

	private static String name(WatchdogLockProperties properties, Environment environment) {
		String name = properties.instanceName();
		if (!StringUtils.hasText(name)) {
			name = environment.getProperty("spring.application.name", "");
		}
		return StringUtils.hasText(name) ? name : "application";
	}

	/* Containers and shells provide it at once; asking the resolver may take seconds. */
	private static String findHost(Environment environment) {
		String host = environment.getProperty("HOSTNAME", environment.getProperty("COMPUTERNAME", ""));
		if (StringUtils.hasText(host)) {
			return host;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
