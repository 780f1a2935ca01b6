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
import java.util.List;
import java.util.function.Consumer;

import io.github.watchdoglock.LockLoss;

/**
 * When a hold lasts too long: longer than it may, or than is usual. Methods are parts of
 * a step of the cohort.
 */
final class HoldLimits {

	private HoldLimits() {
	}

	/* When to look again. */
	static long next(Hold hold) {
		long most = hold.acquired + hold.rules.maxHold();
		long usual = hold.acquired + hold.rules.longHold(hold.grant.terms);
		return (hold.calledLong || most - usual < 0) ? most : usual;
	}

	/* Take it away if it lasts longer than it may. */
	static void enforce(Hold hold, long now) {
		if (hold.rules.maxHold() - (now - hold.acquired) > 0) {
			return;
		}
		Events events = hold.grant.cohort.core().events();
		Duration held = Duration.ofNanos(now - hold.acquired);
		if (hold.wantsInterrupt()) {
			// Now, since the loss makes it do something else.
			List<StackTraceElement> stack = Owned.stack(hold.thread());
			hold.grant.cohort.afterwards(() -> events.maxHoldExceeded(hold.key, hold.token, held, stack));
		}
		else {
			showStack(hold, (stack) -> events.maxHoldExceeded(hold.key, hold.token, held, stack));
		}
		hold.lose(LockLoss.Reason.MAX_HOLD);
	}

	/* Warn, once, if it lasts longer than is usual. */
	static void warn(Hold hold, long now) {
		if (!hold.calledLong && hold.rules.longHold(hold.grant.terms) - (now - hold.acquired) <= 0) {
			hold.calledLong = true;
			Events events = hold.grant.cohort.core().events();
			Duration held = Duration.ofNanos(now - hold.acquired);
			showStack(hold, (stack) -> events.longHold(hold.key, hold.token, held, stack));
		}
	}

	/*
	 * Not on the watchdog's thread: a stack takes a while, and many may be due at once.
	 */
	private static void showStack(Hold hold, Consumer<List<StackTraceElement>> news) {
		Cohort cohort = hold.grant.cohort;
		Thread thread = hold.thread();
		cohort.afterwards(() -> cohort.core().completions().execute(() -> news.accept(Owned.stack(thread))));
	}

}
