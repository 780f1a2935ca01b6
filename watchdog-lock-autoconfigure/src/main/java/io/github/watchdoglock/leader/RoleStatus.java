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
 * The status of a role in this instance. Immutable.
 *
 * @param role the name of the role
 * @param declared whether this instance was declared to be a candidate for it
 * @param candidate whether this instance is a candidate for it, leading or not
 * @param leading whether this instance leads
 * @param since when it began to lead; null if it does not lead
 * @param term the number of the current term, or of the term whose work has not ended;
 * zero if there is none
 * @param overdue how many pieces of work continue although their term has ended
 */
public record RoleStatus(String role, boolean declared, boolean candidate, boolean leading, @Nullable Instant since,
		long term, int overdue) {

}
