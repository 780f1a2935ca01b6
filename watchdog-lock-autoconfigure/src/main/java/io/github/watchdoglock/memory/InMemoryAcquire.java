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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.memory.InMemoryHolder.State;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * The command that acquires a key, or a place in its queue.
 *
 * @param transaction the key while the command takes effect
 * @param key the key
 * @param here its present holders and reservations
 * @param now the current time in nanoseconds of the ticker
 * @param command the command
 * @param attempt the attempt that sent it
 * @param kind the kind in which the attempt requests the key
 */
record InMemoryAcquire(InMemoryTransaction transaction, InMemoryKey key, List<InMemoryHolder> here, long now,
		AcquireCommand command, AttemptId attempt, Kind kind) {

	/* The default of the store in Redis. */
	private static final long RETENTION = Duration.ofMinutes(2).toNanos();

	private static final int LEASES_RETAINED = 2;

	AcquireAnswer run() {
		InMemoryHolder mine = InMemoryHolder.find(this.key.holders, this.attempt);
		if (mine != null && mine.hasEnded(this.now)) {
			return new Ended();
		}
		if (mine != null && mine.isLease()) {
			return again(mine);
		}
		boolean reserved = this.here.remove(mine);
		boolean placed = this.key.places.containsKey(this.attempt);
		if (!reserved && !placed) {
			checkKind();
		}
		if (reserved) {
			enterFirst();
		}
		else if (!placed || mayWait()) {
			this.transaction.enter(this.attempt, this.command.poll());
		}
		int before = this.key.places.size();
		boolean rewritten = this.here.size() < this.key.holders.size();
		boolean admitted = this.transaction.admit(this.attempt);
		InMemoryHolder granted = InMemoryHolder.find(this.here, this.attempt);
		return (granted != null) ? grant(granted)
				: refuse(placed, rewritten || this.key.places.size() < before, admitted);
	}

	private void enterFirst() {
		Map<AttemptId, InMemoryPlace> others = new LinkedHashMap<>(this.key.places);
		this.key.places.clear();
		this.transaction.enter(this.attempt, this.command.poll());
		this.key.places.putAll(others);
	}

	private Granted again(InMemoryHolder mine) {
		this.transaction.extend(mine, this.command.lease());
		if (this.key.alone) {
			return new Granted(new TokenBlock(mine.token(), this.key.last), this.key.contended);
		}
		this.transaction.write();
		return new Granted(new TokenBlock(mine.token(), mine.token()), this.key.contended);
	}

	private Granted grant(InMemoryHolder reserved) {
		TokenBlock block = this.transaction.nextBlock(this.kind, this.command.tokens());
		State state = (this.command.lingering() && !this.kind.isShared()) ? State.LINGERING : State.OWNED;
		Collections.replaceAll(this.here, reserved, new InMemoryHolder(this.attempt, state,
				this.now + this.command.lease().toNanos(), block.first(), this.command.holder()));
		boolean alone = this.here.size() == 1;
		this.key.alone = alone;
		this.key.retention = Math.max(retention(), alone ? 0 : this.key.retention);
		this.transaction.write();
		return new Granted(block, this.key.contended, other());
	}

	/* Limited, because the nanoseconds of a lease of a century would overflow. */
	private long retention() {
		long lease = this.command.lease().toNanos();
		return Math.max(RETENTION, Math.min(LEASES_RETAINED * lease, Long.MAX_VALUE / 2 - lease));
	}

	private Busy refuse(boolean placed, boolean rewritten, boolean admitted) {
		boolean idle = this.command.ifIdle() && this.here.get(0).state() == State.LINGERING;
		boolean write = rewritten;
		boolean stays = placed || (mayWait() && (!this.command.ifIdle() || (idle && this.key.waiting(this.now) == 1)));
		if (!stays) {
			this.key.places.remove(this.attempt);
		}
		else if (!placed && !admitted) {
			write |= this.key.places.values().removeIf((place) -> place.isDead(this.now));
		}
		if (stays && mayWait() && (!this.key.contended || idle)
				&& this.here.stream().anyMatch(InMemoryHolder::isLease)) {
			this.key.contended = true;
			this.transaction.notifyHolders(this.here,
					(hints, owner) -> hints.contended(this.command.key(), owner, this.attempt));
		}
		if (write) {
			this.transaction.write();
		}
		List<InMemoryHolder> held = this.transaction.held();
		LongSummaryStatistics left = this.here.stream()
			.collect(Collectors.summarizingLong((holder) -> holder.left(this.now)));
		return new Busy(held.isEmpty() ? InMemoryHolder.RESERVED_LABEL : held.get(0).label(),
				Duration.ofNanos(this.kind.isPermit() ? left.getMin() : left.getMax()), stays, other());
	}

	private boolean mayWait() {
		return this.command.poll().compareTo(Duration.ZERO) > 0;
	}

	/* A key is used with permits or as a lock, but not both. */
	private void checkKind() {
		boolean permits = this.kind.isPermit();
		Stream<AttemptId> alive = this.key.places.values()
			.stream()
			.filter((place) -> !place.isDead(this.now))
			.map(InMemoryPlace::attempt);
		if (Stream.concat(this.here.stream().map(InMemoryHolder::attempt), alive)
			.anyMatch((other) -> other.kind().isPermit() != permits)) {
			throw new CommandRefusedException(permits ? "The key is in use as a lock: choose another name for permits"
					: "The key is in use as permits: choose another name for the lock", null);
		}
	}

	/*
	 * Return the kind that the answer reports about holders and waiting attempts: a
	 * different number of permits, or that there is no room for another reader.
	 */
	private @Nullable Kind other() {
		if (this.kind.equals(Kind.READ) && this.here.size() >= this.kind.most()
				&& this.here.get(0).attempt().kind().equals(this.kind)
				&& InMemoryHolder.find(this.here, this.attempt) == null) {
			return this.kind;
		}
		if (!this.kind.isPermit()) {
			return null;
		}
		return Stream.concat(this.here.stream().map(InMemoryHolder::attempt), this.key.places.keySet().stream())
			.map(AttemptId::kind)
			.filter((other) -> other.isPermit() && !other.equals(this.kind))
			.findFirst()
			.orElse(null);
	}

}
