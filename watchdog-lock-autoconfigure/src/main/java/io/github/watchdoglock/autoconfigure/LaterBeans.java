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

import java.util.function.Supplier;

import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that are not there yet when singletons are: lazy ones and those of other
 * scopes. None of them is created to be looked at.
 *
 * @param beans all beans
 * @param source reads what their classes say of locks
 */
record LaterBeans(ConfigurableListableBeanFactory beans, Supplier<LockSpecSource> source) {

	/* Those of the library, which have no locks. */
	private static final String OURS = "watchdogLock";

	/*
	 * Read what their classes say of locks, and tell whether that is all there is to be
	 * said: behind an interface there may be more. Costs a look at each definition, so it
	 * is only done where something depends on it.
	 */
	boolean readAll() {
		boolean all = true;
		for (String name : this.beans.getBeanDefinitionNames()) {
			if (!name.startsWith(OURS) && !this.beans.containsSingleton(name)
					&& !this.beans.getMergedBeanDefinition(name).isAbstract()) {
				Class<?> type = type(name);
				if (type == null || type.isInterface()) {
					all = false;
				}
				else {
					this.source.get().read(type);
				}
			}
		}
		return all;
	}

	private @Nullable Class<?> type(String name) {
		try {
			return this.beans.getType(name, false);
		}
		catch (RuntimeException | LinkageError ex) {
			return null;
		}
	}

}
