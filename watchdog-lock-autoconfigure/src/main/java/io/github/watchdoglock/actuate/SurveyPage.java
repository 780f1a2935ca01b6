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

package io.github.watchdoglock.actuate;

import java.util.List;

import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/**
 * The results of a survey, for endpoints.
 *
 * @param locks the locks, in no particular order
 * @param count how many were found
 * @param incomplete whether there may be more
 * @param cursor where the next answer begins; null if everything was searched
 * @param gaps the parts that could not be searched; null if there are none
 * @param off why there is no survey; null if there is one
 */
record SurveyPage(List<LockState> locks, int count, boolean incomplete, @Nullable String cursor,
		@Nullable List<String> gaps, @Nullable String off) {

	static SurveyPage of(Answer answer) {
		if (answer instanceof Answer.Held found) {
			boolean complete = found.gaps().isEmpty();
			return new SurveyPage(found.locks(), found.count(), found.cursor() != null || !complete, found.cursor(),
					complete ? null : found.gaps(), null);
		}
		if (answer instanceof Answer.UnknownCursor unknown) {
			throw wrong(unknown.reason());
		}
		return new SurveyPage(List.of(), 0, true, null, null, ((Answer.Off) answer).reason());
	}

	/* Whether a request is for all instances. */
	static boolean isWanted(@Nullable String scope, @Nullable String cursor) {
		if (scope != null && !scope.equals("all")) {
			throw wrong("'scope' must be 'all' or left out");
		}
		if (scope == null && cursor != null) {
			throw wrong("'cursor' requires 'scope=all'");
		}
		return scope != null;
	}

	static InvalidEndpointRequestException wrong(String reason) {
		return new InvalidEndpointRequestException(reason, reason);
	}

}
