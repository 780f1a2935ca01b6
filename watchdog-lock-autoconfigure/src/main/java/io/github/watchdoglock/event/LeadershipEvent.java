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

package io.github.watchdoglock.event;

import io.github.watchdoglock.LeaderTerm;

/**
 * An application event about a term in which this instance leads or led a role. The
 * parameter of an {@code @EventListener} method has one of the permitted types, or this
 * type for all of them.
 * <p>
 * Published on a thread of the library, in order. A listener that throws or blocks delays
 * further events of this kind, but does not affect a term.
 */
public sealed interface LeadershipEvent
		permits LeadershipGrantedEvent, LeadershipAtRiskEvent, LeadershipRecoveredEvent, LeadershipRevokedEvent {

	/**
	 * Return the term.
	 * @return the term
	 */
	LeaderTerm term();

	/**
	 * Return the name of the role.
	 * @return the name
	 */
	default String role() {
		return term().role();
	}

}
