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

package io.github.watchdoglock.simulation;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * A starter of threads. If the JVM allows a custom scheduler of virtual threads (as JDK
 * 25 does with {@code --add-opens java.base/java.lang=ALL-UNNAMED}), it starts virtual
 * threads that the thread that plays the world carries: switching between them is many
 * times faster than between platform threads. Not thread-safe.
 */
final class Carrier implements Executor {

	/* In earlier versions, a virtual thread that waits in a monitor keeps its carrier. */
	private static final int FIRST_VERSION = 24;

	private static final Method VIRTUAL = virtual();

	private final Queue<Runnable> ready = new ArrayDeque<>();

	private static Method virtual() {
		if (Runtime.version().feature() < FIRST_VERSION) {
			return null;
		}
		try {
			Method method = Class.forName("java.lang.ThreadBuilders")
				.getDeclaredMethod("newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
			method.setAccessible(true);
			return method;
		}
		catch (ReflectiveOperationException | InaccessibleObjectException ex) {
			return null;
		}
	}

	Thread begin(String name, Runnable work) {
		Thread thread = (VIRTUAL != null) ? virtual(name, work) : new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private Thread virtual(String name, Runnable work) {
		try {
			return (Thread) VIRTUAL.invoke(null, this, name, 0, work);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void execute(Runnable continuation) {
		this.ready.add(continuation);
	}

	/* Called by the thread that plays the world; returns when all threads wait. */
	void carry() {
		Runnable next;
		while ((next = this.ready.poll()) != null) {
			next.run();
		}
	}

}
