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

package io.github.watchdoglock.support;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * An instrumentation that records the work and callers that it surrounds, and adds an
 * entry to the context of each work.
 */
public final class RecordingInstrumentation implements Instrumentation {

	/**
	 * Begin and end of work, in order, each with its key, and the context that callers
	 * found.
	 */
	public final List<String> trail = new CopyOnWriteArrayList<>();

	@Override
	public Runnable working(LockHandle handle) {
		this.trail.add("begin " + handle.key());
		return () -> this.trail.add("end " + handle.key());
	}

	@Override
	public Runnable within(Function<Object, @Nullable Object> context) {
		this.trail.add("ask " + context.apply("user"));
		return () -> this.trail.add("asked");
	}

	@Override
	public Map<Object, Object> context(LockHandle handle) {
		return Map.of("key", handle.key());
	}

}
