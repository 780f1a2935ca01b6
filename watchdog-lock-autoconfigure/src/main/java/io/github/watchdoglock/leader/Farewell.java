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

import java.util.List;
import java.util.function.Consumer;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LockLoss;

/**
 * The end of a term, as far as one listener has not been told of it, before which the
 * term's lock is not given back.
 */
final class Farewell implements TermPart {

	private final Audience audience;

	private final Consumer<TermPart> told;

	Farewell(Audience audience, Consumer<TermPart> told) {
		this.audience = audience;
		this.told = told;
	}

	/* Nothing is asked of the listener but to come back. */
	void say(Consumer<LeaderListener> news) {
		this.audience.tell(news, () -> this.told.accept(this));
	}

	@Override
	public void revoke(LockLoss.Reason reason) {
	}

	@Override
	public boolean isOwn() {
		return this.audience.isTeller();
	}

	@Override
	public List<String> stack() {
		return this.audience.stack();
	}

	@Override
	public String toString() {
		return this.audience.toString();
	}

}
