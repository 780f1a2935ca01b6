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

package io.github.watchdoglock.leader;

import java.time.Duration;

/**
 * A scheduler of tasks that run later. Thread-safe.
 */
@FunctionalInterface
public interface Delays {

	/**
	 * Run a task after a delay, on any thread.
	 * @param delay how long to wait
	 * @param task the task; must neither block nor throw
	 * @return cancels the task when it is run, so that nothing refers to the task any
	 * more
	 */
	Runnable after(Duration delay, Runnable task);

}
