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

package io.github.watchdoglock.listener;

import io.github.watchdoglock.LockListener;

/**
 * A listener that need not hear what happens to each lock in the ordinary course:
 * waiting, acquired, not acquired, renewed, released, handed off. Telling somebody who
 * does nothing with it costs a busy instance a tenth of its time.
 */
public interface RoutineListener extends LockListener {

	/**
	 * Whether it is to hear that now. Asked for each piece of news, on any thread, so it
	 * must neither block nor throw.
	 * @return false to go without
	 */
	boolean hearsRoutine();

}
