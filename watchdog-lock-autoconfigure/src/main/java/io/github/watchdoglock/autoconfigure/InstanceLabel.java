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
import java.util.function.Supplier;

import io.github.watchdoglock.text.PrintableText;

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

	private final Environment environment;

	/* Finding the host may take seconds. */
	private final Supplier<String> instance;

	/* Replaced when the port is known. */
	private volatile Supplier<String> label;

	InstanceLabel(WatchdogLockProperties properties, Environment environment) {
		this.environment = environment;
		this.instance = SingletonSupplier
			.of(() -> PrintableText.of(name(properties, environment) + "@" + findHost(environment)));
		this.label = SingletonSupplier.of(() -> this.instance.get() + "#" + ProcessHandle.current().pid());
	}

	/*
	 * Web servers start before this event, but the web server of a child context after
	 * it.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		findPort();
	}

	/* Spring Boot sets this property for each kind of web server. */
	private void findPort() {
		String port = this.environment.getProperty("local.server.port");
		if (port != null) {
			this.label = SingletonSupplier.of(() -> this.instance.get() + ":" + port);
		}
	}

	/* Finds the host and the port, so it must not be called in a task of a key. */
	void resolve() {
		findPort();
		var unused = get();
	}

	@Override
	public String get() {
		return this.label.get();
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
