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

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LockListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Brings the application's listeners to the engine when all singletons are there, since a
 * listener may itself need locks; and what listens in child contexts while they are open,
 * of which neither the engine's context nor its events know.
 */
final class LockListenerRegistration
		implements SmartInitializingSingleton, ApplicationListener<ApplicationContextEvent> {

	private final LateEngine engine;

	private final ObjectProvider<LockListener> listeners;

	private final ApplicationContext context;

	private final boolean acquired;

	private final Map<ApplicationContext, List<LockListener>> children = new ConcurrentHashMap<>();

	/**
	 * Create a registration.
	 * @param engine the engine
	 * @param listeners the listeners of its context
	 * @param context its context
	 * @param acquired whether it is an event that a lock was acquired
	 */
	LockListenerRegistration(LateEngine engine, ObjectProvider<LockListener> listeners, ApplicationContext context,
			boolean acquired) {
		this.engine = engine;
		this.listeners = listeners;
		this.context = context;
		this.acquired = acquired;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.listeners.orderedStream().forEach(this.engine::addListener);
	}

	/* A context publishes to its ancestors too. */
	@Override
	public void onApplicationEvent(ApplicationContextEvent event) {
		ApplicationContext source = event.getApplicationContext();
		if (event instanceof ContextRefreshedEvent && isBelow(source)) {
			List<LockListener> child = ChildListeners.of(source, this.acquired);
			if (this.children.putIfAbsent(source, child) == null) {
				child.forEach(this.engine::addListener);
			}
		}
		else if (event instanceof ContextClosedEvent) {
			List<LockListener> child = this.children.remove(source);
			if (child != null) {
				child.forEach(this.engine::removeListener);
			}
		}
	}

	private boolean isBelow(ApplicationContext source) {
		ApplicationContext parent = source.getParent();
		while (parent != null && parent != this.context) {
			parent = parent.getParent();
		}
		return parent != null;
	}

}
