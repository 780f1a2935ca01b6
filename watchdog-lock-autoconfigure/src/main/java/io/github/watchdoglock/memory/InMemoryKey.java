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
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Record and queue of one key, and what the commands do to them. Not thread-safe: the
 * store has its lock while a command takes effect.
 */
final class InMemoryKey {

	/* As Redis keeps it by default. */
	private static final long RETENTION = Duration.ofMinutes(2).toNanos();

	private static final int LEASES_RETAINED = 2;

	final ReentrantLock lock = new ReentrantLock();

	final InMemoryQueue queue = new InMemoryQueue();

	@Nullable InMemoryRecord record;

	/** The store does not contain it any more; written under the lock. */
	boolean removed;

	AcquireAnswer acquire(AcquireCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryRecord record = current(now);
		if (record == null) {
			return grant(command, moment);
		}
		return InMemorySharedAcquire.acquire(new InMemorySharedKey(this, record, moment), command);
	}

	/* Of a key that is not remembered; tokens start behind the clock. */
	private Granted grant(AcquireCommand command, InMemoryMoment moment) {
		long lease = command.lease().toNanos();
		long first = Math.max(1, moment.micros());
		boolean shared = command.attempt().kind().isShared();
		TokenBlock block = TokenBlock.startingAt(first, command.attempt().kind(), command.tokens());
		long retention = retention(command.lease());
		boolean contended = this.queue.size() > 0;
		this.record = new InMemoryRecord((command.lingering() && !shared) ? State.LINGERING : State.OWNED, contended,
				retention, block, command.attempt(), command.holder(), moment.ticks() + lease + retention);
		return new Granted(block, contended);
	}

	/* Of a lease as long as a century, nanoseconds would overflow. */
	static long retention(Duration length) {
		long lease = length.toNanos();
		return Math.max(RETENTION, Math.min(LEASES_RETAINED * lease, Long.MAX_VALUE / 2 - lease));
	}

	RenewAnswer renew(RenewCommand command, InMemoryMoment moment) {
		long now = moment.ticks();
		InMemoryRecord record = current(now);
		return (record != null) ? InMemorySharedVerbs.renew(new InMemorySharedKey(this, record, moment), command)
				: new Gone();
	}

	ReleaseAnswer release(ReleaseCommand command, InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null) {
			return new ReleaseAnswer(ReleaseAnswer.Ended.NOTHING, Next.NOBODY);
		}
		return InMemorySharedVerbs.release(new InMemorySharedKey(this, record, moment), command);
	}

	List<LockState> find(LockKey key, InMemoryMoment moment) {
		long now = moment.ticks();
		return held(moment).stream()
			.map((holder) -> LeaseInspector.had(LockState.of(key, holder.label(), holder.token(),
					Duration.ofNanos(holder.left(now)), this.queue.alive(now)), holder.attempt().kind()))
			.toList();
	}

	private List<InMemoryHolder> held(InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null || record.left(moment.ticks()) == 0) {
			return List.of();
		}
		InMemorySharedKey key = new InMemorySharedKey(this, record, moment);
		key.enter(null);
		return key.held();
	}

	ForceAnswer force(long token, InMemoryMoment moment) {
		InMemoryRecord record = current(moment.ticks());
		if (record == null || !record.isHeld(moment.ticks())) {
			return ForceAnswer.FREE;
		}
		return InMemorySharedVerbs.force(new InMemorySharedKey(this, record, moment), token);
	}

	boolean ask(InMemoryMoment moment) {
		List<InMemoryHolder> held = held(moment);
		held.stream()
			.filter(InMemoryHolder::isLease)
			.forEach((holder) -> moment.tell(holder.attempt(), WakeUps.Hints::asked));
		return !held.isEmpty();
	}

	/* Play that the lease or reservation is over. */
	void expireLease(long now) {
		if (this.record != null) {
			this.record = this.record.free(now, this.record.state());
		}
	}

	boolean isEmpty(long now) {
		return current(now) == null;
	}

	private @Nullable InMemoryRecord current(long now) {
		if (this.record != null && now - this.record.end() >= 0) {
			this.record = null;
			this.queue.clear();
		}
		return this.record;
	}

}
