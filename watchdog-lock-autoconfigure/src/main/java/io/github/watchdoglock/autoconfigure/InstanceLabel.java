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

import io.github.watchdoglock.PrintableText;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * What people see of an instance: its name and its host.
 *
 * @param name name of the instance, by default of the application
 * @param host name of the host
 */
record InstanceLabel(String name, String host) {

	static InstanceLabel of(WatchdogLockProperties properties, Environment environment) {
		String name = properties.instanceName();
		if (!StringUtils.hasText(name)) {
			name = environment.getProperty("spring.application.name", "");
		}
		return new InstanceLabel(StringUtils.hasText(name) ? name : "application", findHost(environment));
	}

	/* Containers and shells say it at once; asking the resolver may take seconds. */
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

	/* Redis refuses names of clients with spaces or beyond ASCII. */
	String clientName() {
		return "watchdog-lock:" + this.name.replaceAll("[^!-~]", "-");
	}

	@Override
	public String toString() {
		return PrintableText.of(this.name + "@" + this.host);
	}

}
