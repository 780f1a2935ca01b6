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

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * Rejects durations of the library's properties that have no unit, which would be
 * milliseconds. Zero and -1 need none.
 */
final class DurationUnits extends AbstractBindHandler {

	private final Environment environment;

	DurationUnits(BindHandler parent, Environment environment) {
		super(parent);
		this.environment = environment;
	}

	@Override
	public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Object result) {
		ConfigurationProperty property = context.getConfigurationProperty();
		if (result instanceof Duration && property != null && name.toString().startsWith("watchdog-lock.")) {
			String value = this.environment.resolvePlaceholders(String.valueOf(property.getValue())).trim();
			if (value.matches("[+-]?\\d+") && !value.matches("0|-1")) {
				throw new LockConfigurationException(
						name + " is '" + value + "', a number without a unit (" + property.getOrigin() + ").",
						"Write " + value + "s for seconds, or " + value + "ms for milliseconds.");
			}
		}
		return super.onSuccess(name, target, context, result);
	}

}
