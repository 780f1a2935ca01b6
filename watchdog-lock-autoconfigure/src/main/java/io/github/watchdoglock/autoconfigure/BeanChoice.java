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

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.StringUtils;

/**
 * The choice of the bean of a type that the library uses: the bean that a property names,
 * otherwise the only or the primary bean.
 *
 * @param <T> the type
 * @param beans all beans
 * @param type the type
 * @param property the property that may name the bean
 */
record BeanChoice<T>(ListableBeanFactory beans, Class<T> type, String property) {

	/* Return null if no bean is named, and no bean is the only or the primary one. */
	@Nullable T choose(@Nullable String name) {
		if (!StringUtils.hasText(name)) {
			return this.beans.getBeanProvider(this.type).getIfUnique();
		}
		if (!this.beans.containsBean(name) || !this.beans.isTypeMatch(name, this.type)) {
			throw new LockConfigurationException(
					this.property + " is '" + name + "', and no " + this.type.getSimpleName()
							+ " bean has that name. Existing beans: " + names(),
					"Set " + this.property + " to the name of one of these beans.");
		}
		return this.beans.getBean(name, this.type);
	}

	String names() {
		return String.join(", ",
				BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, this.type, true, false));
	}

}
