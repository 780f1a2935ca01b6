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

import io.github.watchdoglock.memory.InMemoryQueue.Place;
import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.TokenBlock;

/**
 * Acquire where somebody shares: who asks, who has the key or who waits.
 */
final class InMemorySharedAcquire {

	private InMemorySharedAcquire() {
	}

	static AcquireAnswer acquire(InMemorySharedKey key, AcquireCommand command) {
		AttemptId attempt = command.attempt();
		InMemoryHolder mine = key.find(attempt);
		if (mine != null && mine.hasEnded(key.now)) {
			return new Ended();
		}
		boolean lives = mine != null && mine.isHere(key.now);
		if (mine != null && lives && !mine.isReserved()) {
			return again(key, mine, command);
		}
		key.enter(mine);
		boolean placed = key.key.queue.contains(attempt);
		if (!lives && !placed) {
			key.checkKind(attempt);
		}
		boolean rewritten = key.here.size() < key.all.size();
		Place place = new Place(attempt, key.now, command.poll().toNanos());
		if (lives) {
			key.places.add(0, place);
		}
		else if (!placed || isPatient(command)) {
			key.key.queue.enter(attempt, place.poll(), key.now);
		}
		boolean shared = attempt.kind().isShared() || key.record.attempt().kind().isShared()
				|| InMemorySharedKey.isShared(key.key, key.record);
		int before = key.places.size();
		boolean admitted = key.admit(attempt);
		InMemoryHolder granted = key.here(attempt);
		return (granted != null) ? grant(key, granted, command)
				: refuse(key, command, placed, rewritten || key.places.size() < before, shared, admitted);
	}

	private static Granted again(InMemorySharedKey key, InMemoryHolder mine, AcquireCommand command) {
		InMemoryHolder renewed = mine.endingAt(key.now + Math.max(mine.left(key.now), command.lease().toNanos()));
		InMemoryRecord record = key.record;
		if (record.holders().isEmpty()) {
			key.key.record = record.renewed(mine, renewed, key.last);
			return new Granted(record.block(), record.contended());
		}
		key.enter(null);
		key.here.set(key.here.indexOf(mine), renewed);
		key.write(record.retention());
		return new Granted(new TokenBlock(mine.token(), mine.token()), !key.places.isEmpty());
	}

	private static Granted grant(InMemorySharedKey key, InMemoryHolder reserved, AcquireCommand command) {
		boolean shared = command.attempt().kind().isShared();
		long first = Math.max(key.last + 1, key.moment.micros());
		TokenBlock block = TokenBlock.startingAt(first, command.attempt().kind(), command.tokens());
		key.here.set(key.here.indexOf(reserved),
				new InMemoryHolder(command.attempt(), (command.lingering() && !shared) ? State.LINGERING : State.OWNED,
						key.now + command.lease().toNanos(), first, command.holder()));
		key.last = block.last();
		long retention = InMemoryKey.retention(command.lease());
		key.write((key.here.size() > 1) ? Math.max(retention, key.record.retention()) : retention);
		return new Granted(block, !key.places.isEmpty(), key.other(command.attempt()));
	}

	private static Busy refuse(InMemorySharedKey key, AcquireCommand command, boolean placed, boolean rewritten,
			boolean shared, boolean admitted) {
		AttemptId attempt = command.attempt();
		boolean idle = command.ifIdle() && key.here.get(0).state() == State.LINGERING;
		boolean stays = placed
				|| (isPatient(command) && (!command.ifIdle() || (idle && key.key.queue.alive(key.now) == 1)));
		boolean write = rewritten;
		if (!stays) {
			key.key.queue.leave(attempt);
		}
		else if (!placed && (shared || !admitted)) {
			int before = key.places.size();
			key.key.queue.dropDead(key.now);
			write |= key.places.size() < before;
		}
		if (write) {
			key.write(key.record.retention());
		}
		boolean leased = key.here.stream().anyMatch(InMemoryHolder::isLease);
		if (stays && isPatient(command) && leased && (!key.record.contended() || idle)) {
			InMemoryRecord record = key.key.record;
			key.key.record = (record != null) ? record.asContended() : null;
			key.tell((hints, lock, owner) -> hints.contended(lock, owner, attempt));
		}
		List<InMemoryHolder> held = key.held();
		long left = attempt.kind().isPermit()
				? key.here.stream().mapToLong((holder) -> holder.left(key.now)).min().orElse(0) : key.longest();
		return new Busy(held.isEmpty() ? InMemoryRecord.RESERVED_LABEL : held.get(0).label(), Duration.ofNanos(left),
				stays && (shared || admitted || isPatient(command)), key.other(attempt));
	}

	private static boolean isPatient(AcquireCommand command) {
		return command.poll().compareTo(Duration.ZERO) > 0;
	}

}
