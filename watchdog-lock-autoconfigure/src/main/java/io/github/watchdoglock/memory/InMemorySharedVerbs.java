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

package io.github.watchdoglock.memory;

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * What renewals, releases and operators do to a key that somebody shares: who has it or
 * who waits.
 */
final class InMemorySharedVerbs {

	private InMemorySharedVerbs() {
	}

	/* Of a record that names several. */
	static RenewAnswer renew(InMemorySharedKey key, RenewCommand command) {
		InMemoryHolder mine = key.find(command.attempt());
		if (mine == null || !mine.isLease() || !mine.isHere(key.now) || mine.token() != command.firstToken()) {
			return new Gone();
		}
		InMemoryHolder renewed = mine.endingAt(key.now + Math.max(mine.left(key.now), command.lease().toNanos()));
		TokenBlock next = null;
		if (command.nextBlock()) {
			next = TokenBlock.startingAt(Math.max(key.last + 1, key.moment.micros()), command.attempt().kind());
			key.last = next.last();
		}
		InMemoryRecord record = key.record;
		key.key.record = record.renewed(mine, renewed, key.last);
		return new Renewed(record.contended(), next);
	}

	static ReleaseAnswer release(InMemorySharedKey key, ReleaseCommand command) {
		InMemoryHolder had = key.find(command.attempt());
		InMemoryHolder mine = (had != null && had.state() != State.KEPT) ? had : null;
		boolean placed = key.key.queue.contains(command.attempt());
		if (mine == null && !placed) {
			return new ReleaseAnswer(ReleaseAnswer.Ended.NOTHING, Next.NOBODY);
		}
		boolean shared = command.attempt().kind().isShared() || InMemorySharedKey.isShared(key.key, key.record);
		key.enter(mine);
		AttemptId requeued = null;
		if (mine == null) {
			key.key.queue.leave(command.attempt());
			if (!shared) {
				// Unchanged, since no other attempt gets the key by this.
				return new ReleaseAnswer(ReleaseAnswer.Ended.PLACE, Next.NOBODY);
			}
		}
		else {
			giveBack(key, mine, command.lastToken());
			boolean lives = !mine.isReserved() && mine.isHere(key.now);
			if (lives && command.keep().compareTo(Duration.ZERO) > 0) {
				key.here.add(0, mine.keptUntil(key.now + command.keep().toNanos()));
				key.write(key.record.retention());
				return new ReleaseAnswer(ReleaseAnswer.Ended.LEASE, Next.NOBODY);
			}
			ReleaseCommand.Requeue requeue = lives ? command.requeue() : null;
			if (requeue != null) {
				requeued = requeue.attempt();
				if (key.here(requeued) == null) {
					key.key.queue.enter(requeued, requeue.poll().toNanos(), key.now);
				}
			}
		}
		boolean admitted = key.admit(requeued);
		if (!key.here.isEmpty()) {
			key.write(key.record.retention());
		}
		else if (mine != null) {
			key.leaveFree(mine, mine.isReserved() ? State.KEPT : mine.state());
		}
		return new ReleaseAnswer(ended(mine),
				(requeued != null && key.here(requeued) != null) ? Next.REQUEUED : admitted ? Next.OTHER : Next.NOBODY);
	}

	private static ReleaseAnswer.Ended ended(@Nullable InMemoryHolder mine) {
		if (mine == null) {
			return ReleaseAnswer.Ended.PLACE;
		}
		return mine.isReserved() ? ReleaseAnswer.Ended.RESERVATION : ReleaseAnswer.Ended.LEASE;
	}

	/* What was not used goes back where nothing was given since. */
	private static void giveBack(InMemorySharedKey key, InMemoryHolder mine, long lastToken) {
		if (mine.isReserved()) {
			return;
		}
		if (key.isAlone(mine)) {
			key.last = key.record.withLastUsed(lastToken).block().last();
		}
		else if (lastToken != ReleaseCommand.UNKNOWN && lastToken < mine.token() && mine.token() == key.last) {
			key.last--;
		}
	}

	static ForceAnswer force(InMemorySharedKey key, long token) {
		key.enter(null);
		List<InMemoryHolder> forced = key.here.stream()
			.filter((holder) -> !holder.isReserved() && (token == LeaseInspector.ALL || holder.token() == token))
			.toList();
		if (forced.isEmpty()) {
			return ForceAnswer.FREE;
		}
		List<AttemptId> owners = forced.stream().filter(InMemoryHolder::isLease).map(InMemoryHolder::attempt).toList();
		owners.forEach((owner) -> key.moment.tell(owner, WakeUps.Hints::forced));
		key.here.removeAll(forced);
		key.admit(null);
		if (key.here.isEmpty()) {
			key.leaveFree(forced.get(forced.size() - 1), State.KEPT);
		}
		else {
			key.write(key.record.retention());
		}
		return new ForceAnswer(true, owners);
	}

}
