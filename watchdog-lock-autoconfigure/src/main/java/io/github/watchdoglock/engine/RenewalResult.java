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

import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a grant when a renewal of it is answered.
 */
final class RenewalResult implements RenewalBatch.Answers {

	private final Grant grant;

	/** The terms that were asked for. */
	private final Terms terms;

	RenewalResult(Grant grant) {
		this.grant = grant;
		this.terms = grant.terms;
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		Cohort cohort = this.grant.cohort;
		cohort.change(() -> {
			this.grant.endRenewal(sent, this.terms);
			Hold hold = cohort.hold(this.grant);
			// One of a hold before with another lease says nothing of this one's.
			IdleGrant idle = IdleGrant.of(this.grant);
			if (hold != null && this.terms.equals(this.grant.terms)) {
				apply(hold, sent, answer, ex);
			}
			else if (idle != null && this.terms.equals(this.grant.terms)) {
				apply(idle, sent, answer);
			}
		});
	}

	/* Part of a step, where the answer is to the terms of now. */
	void apply(Hold hold, long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		long now = this.grant.cohort.core().now();
		if (this.grant.left(now) <= 0) {
			// It was over before the answer came: nothing revives it.
			hold.lose(LockLoss.Reason.EXPIRED);
		}
		else if (answer instanceof RenewAnswer.Renewed renewed) {
			HandOffs.note(this.grant, renewed, now);
			renewed(sent);
		}
		else if (answer instanceof RenewAnswer.Gone) {
			Cohort cohort = this.grant.cohort;
			cohort.afterwards(() -> cohort.core().events().renewalGone(hold.key, hold.token));
			hold.lose(LockLoss.Reason.GONE);
		}
		else {
			failed(now, StoreCalls.cause(ex));
		}
	}

	private void apply(IdleGrant idle, long sent, @Nullable RenewAnswer answer) {
		long now = this.grant.cohort.core().now();
		if (answer instanceof RenewAnswer.Gone) {
			idle.drop();
			return;
		}
		if (answer instanceof RenewAnswer.Renewed renewed) {
			HandOffs.note(this.grant, renewed, now);
		}
		if (!idle.mayStay(now)) {
			idle.giveBack();
		}
		else if (answer != null) {
			this.grant.confirm(sent);
			idle.rest(sent);
		}
		else {
			this.grant.retry(now);
		}
	}

	private void renewed(long sent) {
		boolean recovered = this.grant.atRisk();
		this.grant.confirm(sent);
		this.grant.cohort.tell((listener, hold) -> listener.renewed(hold.key, hold.token));
		if (recovered) {
			this.grant.cohort.tell((listener, hold) -> listener.recovered(hold.key, hold.token));
		}
	}

	private void failed(long now, Throwable cause) {
		boolean news = !this.grant.atRisk();
		this.grant.retry(now);
		this.grant.cohort.tell((listener, hold) -> listener.renewalFailed(hold.key, hold.token, cause));
		if (news) {
			Duration left = Duration.ofNanos(this.grant.left(now));
			this.grant.cohort.tell((listener, hold) -> listener.atRisk(hold.key, hold.token, left, cause));
		}
	}

}
