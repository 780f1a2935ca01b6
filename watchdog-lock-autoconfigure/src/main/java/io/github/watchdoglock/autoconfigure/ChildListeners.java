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

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.spring.LockEventPublisher;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * What listens in a child context, and nowhere else: its listeners of locks, and a
 * publisher of events to those who listen to them.
 */
final class ChildListeners {

	private ChildListeners() {
	}

	static List<LockListener> of(ApplicationContext child, boolean acquired) {
		List<LockListener> all = new ArrayList<>();
		if (child instanceof ConfigurableApplicationContext context) {
			ConfigurableListableBeanFactory beans = context.getBeanFactory();
			for (String name : beans.getBeanNamesForType(LockListener.class)) {
				if (isDefaultCandidate(beans, name)) {
					all.add(beans.getBean(name, LockListener.class));
				}
			}
			all.add(new LockEventPublisher(publisher(context), acquired));
		}
		return all;
	}

	private static boolean isDefaultCandidate(ConfigurableListableBeanFactory beans, String name) {
		return !(beans.containsBeanDefinition(name)
				&& beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
				&& !(definition.isAutowireCandidate() && definition.isDefaultCandidate()));
	}

	/* What the context itself publishes reaches its parent a second time. */
	private static ApplicationEventPublisher publisher(ConfigurableApplicationContext child) {
		return (event) -> {
			if (child.isActive()) {
				child.getBeanFactory()
					.getBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
							ApplicationEventMulticaster.class)
					.multicastEvent(new PayloadApplicationEvent<>(child, event));
			}
		};
	}

}
