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

package io.github.watchdoglock.engine;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The answers to a renewal, told to observers with the times that it took.
 */
final class TimedAnswers implements RenewalBatch.Answers {

	private final RenewalBatch.Answers answers;

	private final Core core;

	private final long due;

	TimedAnswers(RenewalBatch.Answers answers, Core core, long due) {
		this.answers = answers;
		this.core = core;
		this.due = due;
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure) {
		Events events = this.core.events();
		events.renewalSent(Duration.ofNanos(sent - this.due));
		if (answer != null) {
			events.renewalAnswered(Duration.ofNanos(this.core.now() - sent));
		}
		this.answers.answered(sent, answer, failure);
	}

}
