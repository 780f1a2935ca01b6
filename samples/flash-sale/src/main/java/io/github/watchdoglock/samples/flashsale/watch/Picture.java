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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.List;

import io.github.watchdoglock.samples.flashsale.StockLevel;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows at one moment.
 *
 * @param at when Redis was asked for it, in ms since 1970
 * @param sales what is left and sold of each article
 * @param locks what Redis says of the locks; null while it does not answer
 * @param leader who writes the nightly report; null while Redis does not answer
 * @param instances who runs
 * @param happenings what happened lately, the last first
 */
record Picture(long at, List<StockLevel> sales, @Nullable List<Lock> locks, @Nullable Leader leader,
		List<Instance> instances, List<Happening> happenings) {

	/**
	 * A lock as Redis has it.
	 *
	 * @param key which one
	 * @param holder who has it; null where nobody does
	 * @param mode how it is held: exclusive, read, permit; null where it is not
	 * @param holders how many have it together
	 * @param remaining how long its lease lasts unless it is renewed, in ms
	 * @param waiting how many instances wait for it
	 */
	record Lock(String key, @Nullable String holder, @Nullable String mode, int holders, long remaining, int waiting) {

	}

	/**
	 * A role as Redis has it.
	 *
	 * @param role which one
	 * @param holder who leads; null where nobody does
	 * @param term the number of the term; zero where nobody leads
	 * @param remaining how long it lasts unless it is renewed, in ms
	 * @param waiting how many instances stand for it besides
	 */
	record Leader(String role, @Nullable String holder, long term, long remaining, int waiting) {

	}

}
