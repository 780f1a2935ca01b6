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

import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.watchdoglock.LockState;
import io.github.watchdoglock.actuate.AllLocksDescriptor.HeldDescriptor;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions of the locks of all instances, for the endpoint.
 *
 * @param instance the label of this instance
 * @param survey searches the locks of all instances
 * @param keys the displayed keys
 */
record AllDescriptions(Supplier<String> instance, Supplier<LeaseSurvey> survey, ShownKeys keys) {

	private static final int MAX_LABEL = 512;

	/* A label ends with the name of a thread, if there is one. */
	private static final Pattern INSTANCE = Pattern.compile("[^@]+@[^/]+");

	AllLocksDescriptor describe(@Nullable String cursor, Listing listing) {
		SurveyPage page = SurveyPage.of(this.survey.get().look(cursor, listing.limit()));
		return new AllLocksDescriptor(this.instance.get(),
				page.locks()
					.stream()
					.sorted(Comparator.comparing(LockState::key))
					.map((state) -> held(state, listing))
					.toList(),
				page.count(), page.incomplete(), page.cursor(), page.gaps(), page.off());
	}

	private HeldDescriptor held(LockState state, Listing listing) {
		String holder = PrintableText.of(state.holder(), MAX_LABEL);
		Matcher instance = INSTANCE.matcher(holder);
		return new HeldDescriptor(state.key().name(), this.keys.id(state.key(), listing.keysShown()), holder,
				instance.lookingAt() ? instance.group() : null, state.token(),
				state.remaining().truncatedTo(ChronoUnit.MILLIS), state.waiting(), state.mode().tag(), state.holders(),
				state.permits().isEmpty() ? null : state.permits());
	}

}
