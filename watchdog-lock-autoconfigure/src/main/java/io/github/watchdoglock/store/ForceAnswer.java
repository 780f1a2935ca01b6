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

package io.github.watchdoglock.store;

import org.jspecify.annotations.Nullable;

/**
 * What a store answers to {@link LeaseInspector#force}.
 *
 * @param held whether somebody had the key, or it was kept for a minimum hold time
 * @param owner the attempt that it was taken from, null where it was nobody's
 */
public record ForceAnswer(boolean held, @Nullable AttemptId owner) {

	/**
	 * Nobody had the key.
	 */
	public static final ForceAnswer FREE = new ForceAnswer(false, null);

}
