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

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.PrintableText;
import io.github.watchdoglock.settings.EngineSettings.HandOffRules;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * What an application says of the locks of each name. Read with the last element of a
 * property as what is said and everything before it as the name, which may have dots: to
 * a map that is bound, the rest of such a name would be an attribute, unknown and passed
 * over. Immutable.
 */
final class NamedLocks {

	private static final String ROOT = "watchdog-lock.locks";

	private static final String UNREAD = "WATCHDOG_LOCK_LOCKS_";

	private static final String READ = "WATCHDOGLOCK_LOCKS_";

	static final List<String> ATTRIBUTES = List.of("lease-time", "wait-time", "min-hold-time", "max-hold-time",
			"permits", "linger", "hand-offs", "renewal", "on-loss", "on-contention", "fenced");

	private final Map<String, NamedLockProperties> byName = new HashMap<>();

	private final WatchdogLockProperties all;

	private NamedLocks(WatchdogLockProperties all) {
		this.all = all;
	}

	/* What is wrong with names that were bound was told when they were. */
	static NamedLocks of(Environment environment, WatchdogLockProperties all) {
		NamedLocks locks = new NamedLocks(all);
		PropertyProblems problems = new PropertyProblems();
		refuseUnreadVariables(environment, problems);
		LeaseLimits limits = all.leaseLimits();
		read(environment, problems).forEach((name, source) -> {
			NamedLockProperties named = new Binder(source).bindOrCreate(element(name), NamedLockProperties.class);
			if (!all.locks().containsKey(name)) {
				named.check(name, problems, limits);
			}
			locks.byName.put(name, named);
		});
		problems.throwIfAny();
		return locks;
	}

	private static Map<String, MapConfigurationPropertySource> read(Environment environment,
			PropertyProblems problems) {
		Map<String, MapConfigurationPropertySource> sources = new HashMap<>();
		Binder.get(environment)
			.bind(ROOT, Bindable.mapOf(String.class, String.class))
			.orElseGet(Map::of)
			.forEach((property, value) -> {
				int dot = property.lastIndexOf('.');
				String attribute = attribute(property.substring(dot + 1));
				if (dot > 0 && attribute != null) {
					String name = property.substring(0, dot);
					sources.computeIfAbsent(name, (added) -> new MapConfigurationPropertySource())
						.put(element(name) + "." + attribute, value);
				}
				else {
					problems.requireKnown(dot < 0 && value.isEmpty(), "locks." + PrintableText.of(property),
							NearestName.suggest(property.substring(dot + 1), ATTRIBUTES),
							"write watchdog-lock.locks.<name>.<property> with one of the properties " + ATTRIBUTES);
				}
			});
		return sources;
	}

	/*
	 * A map is read from no environment variable that has an underscore in place of a
	 * hyphen, though all other properties are.
	 */
	private static void refuseUnreadVariables(Environment environment, PropertyProblems problems) {
		if (environment instanceof ConfigurableEnvironment configurable) {
			configurable.getPropertySources()
				.stream()
				.filter(SystemEnvironmentPropertySource.class::isInstance)
				.map(SystemEnvironmentPropertySource.class::cast)
				.flatMap((variables) -> Stream.of(variables.getPropertyNames()))
				.filter((name) -> name.startsWith(UNREAD))
				.forEach((name) -> problems.require(false, "locks", "set by " + PrintableText.of(name),
						"nothing is read from there",
						"write " + READ + "<NAME>_<WHAT>, such as " + READ + "REPORT_WAITTIME"));
		}
	}

	/*
	 * However it is written: with hyphens, in camel case, or as environment variables
	 * are.
	 */
	private static @Nullable String attribute(String text) {
		String uniform = uniform(text);
		return ATTRIBUTES.stream().filter((attribute) -> uniform(attribute).equals(uniform)).findFirst().orElse(null);
	}

	private static String uniform(String text) {
		return text.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	private static String element(String name) {
		return ROOT + "[" + name + "]";
	}

	Set<String> names() {
		return this.byName.keySet();
	}

	@Nullable NamedLockProperties of(String name) {
		return this.byName.get(name);
	}

	LingerRules linger() {
		Map<String, Duration> byName = new HashMap<>();
		this.byName.forEach((name, named) -> {
			if (named.linger() != null) {
				byName.put(name, named.linger());
			}
		});
		return new LingerRules(this.all.linger(), byName);
	}

	HandOffRules handOffs() {
		Map<String, Integer> byName = new HashMap<>();
		this.byName.forEach((name, named) -> {
			if (named.handOffs() != null) {
				byName.put(name, named.handOffs());
			}
		});
		return new HandOffRules(byName);
	}

	/* The request, with what is said of its name alone. */
	LockRequest complete(LockRequest request) {
		NamedLockProperties named = of(request.key().name());
		LockRequest completed = (named != null) ? named.complete(request, this.all.leaseTime()) : request;
		boolean exclusive = (completed.permits() == null || completed.permits() == 0)
				&& completed.mode() != LockMode.READ;
		return (this.all.fenced() && completed.fenced() == null && exclusive && !request.key().isRole())
				? completed.withFenced(true) : completed;
	}

	/* The same, and with what counts when its lock is lost. */
	LockRequest completeWithLoss(LockRequest request) {
		LockRequest completed = complete(request);
		OnLoss own = completed.onLoss();
		return (own != null && own != OnLoss.DEFAULT) ? completed : completed.withOnLoss(this.all.onLoss().policy);
	}

}
