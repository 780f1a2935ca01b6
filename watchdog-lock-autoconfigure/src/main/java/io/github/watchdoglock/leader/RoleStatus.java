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

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What there is of a role in this instance. Immutable.
 *
 * @param role its name
 * @param declared whether anything has this instance stand for it
 * @param standing whether this instance stands for it, leading or not
 * @param leading whether it leads
 * @param since from when on it leads; null where it does not
 * @param term the number of the term that lasts, or whose work has not ended; zero where
 * there is none
 * @param overdue how much work goes on though its term is over
 */
public record RoleStatus(String role, boolean declared, boolean standing, boolean leading, @Nullable Instant since,
		long term, int overdue) {

}
