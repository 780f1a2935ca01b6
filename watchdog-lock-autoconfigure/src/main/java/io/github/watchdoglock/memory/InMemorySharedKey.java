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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.memory.InMemoryQueue.Place;
import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Who has a key together and who waits for it, while one command takes effect. Not
 * thread-safe.
 */
final class InMemorySharedKey {

	private static final String LABEL = "(shared)";

	final InMemoryKey key;

	final InMemoryRecord record;

	final InMemoryMoment moment;

	final long now;

	/* All that the record names, whether they are over or not. */
	final List<InMemoryHolder> all;

	/* Those who have the key now, or are to have it. */
	final List<InMemoryHolder> here = new ArrayList<>();

	final List<Place> places;

	/* The greatest token. */
	long last;

	InMemorySharedKey(InMemoryKey key, InMemoryRecord record, InMemoryMoment moment) {
		this.key = key;
		this.record = record;
		this.moment = moment;
		this.now = moment.ticks();
		this.all = record.all(this.now);
		this.places = key.queue.places;
		this.last = record.block().last();
	}

	/* Whether several attempts have the key, or a waiting one is of a shared kind. */
	static boolean isShared(InMemoryKey key, InMemoryRecord record) {
		return !record.holders().isEmpty()
				|| key.queue.places.stream().anyMatch((place) -> place.attempt().kind().isShared());
	}

	@Nullable InMemoryHolder find(AttemptId attempt) {
		return of(this.all, attempt);
	}

	@Nullable InMemoryHolder here(AttemptId attempt) {
		return of(this.here, attempt);
	}

	private static @Nullable InMemoryHolder of(List<InMemoryHolder> holders, AttemptId attempt) {
		return holders.stream().filter((holder) -> holder.attempt().equals(attempt)).findFirst().orElse(null);
	}

	/* All whose end has not come are here, but for one. */
	void enter(@Nullable InMemoryHolder but) {
		this.all.stream().filter((holder) -> !holder.equals(but) && holder.isHere(this.now)).forEach(this.here::add);
	}

	/* A key is had as permits or as a lock, and never as both. */
	void checkKind(AttemptId attempt) {
		boolean permits = attempt.kind().isPermit();
		boolean other = this.here.stream().anyMatch((holder) -> holder.attempt().kind().isPermit() != permits)
				|| this.places.stream()
					.anyMatch((place) -> !place.isDead(this.now) && place.attempt().kind().isPermit() != permits);
		if (other) {
			throw new CommandRefusedException(permits ? "The key is in use as a lock: choose another name for permits"
					: "The key is in use as permits: choose another name for the lock", null);
		}
	}

	/*
	 * Reserve the key for the first places, as many as may have it together with those
	 * who are here. Nobody who is alive is passed. Who is present is alive, and knows.
	 * Answers whether somebody was let in.
	 */
	boolean admit(@Nullable AttemptId present) {
		int before = this.here.size();
		while (!this.places.isEmpty() && (this.here.isEmpty() || this.here.get(0).attempt().kind().isShared())) {
			Place place = this.places.get(0);
			boolean known = place.attempt().equals(present);
			if (known || !place.isDead(this.now)) {
				Kind kind = place.attempt().kind();
				if (!this.here.isEmpty() && !kind.joins(this.here.get(0).attempt().kind(), this.here.size())) {
					break;
				}
				if (known || this.moment.tell(place.attempt(), WakeUps.Hints::granted) || !place.isUnheard(this.now)) {
					this.here.add(new InMemoryHolder(place.attempt(), State.RESERVED, this.now + place.claim(), 0,
							InMemoryRecord.RESERVED_LABEL));
				}
			}
			this.places.remove(0);
		}
		return this.here.size() > before;
	}

	/*
	 * What is to be told of those who have the key, or wait for it: a number of permits
	 * that is not that of the attempt, or that readers have no room.
	 */
	@Nullable Kind other(AttemptId attempt) {
		Kind own = attempt.kind();
		if (own.equals(Kind.READ) && this.here.size() >= own.most() && this.here.get(0).attempt().kind().equals(own)
				&& here(attempt) == null) {
			return own;
		}
		if (!own.isPermit()) {
			return null;
		}
		return Stream.concat(this.here.stream().map(InMemoryHolder::attempt), this.places.stream().map(Place::attempt))
			.map(AttemptId::kind)
			.filter((kind) -> kind.isPermit() && !kind.equals(own))
			.findFirst()
			.orElse(null);
	}

	/* What is left until the last one who is here goes. */
	long longest() {
		return this.here.stream().mapToLong((holder) -> holder.left(this.now)).max().orElse(0);
	}

	/*
	 * Some are here. One that is alone stands for itself, where all tokens since its
	 * first are its own.
	 */
	void write(long retention) {
		boolean contended = !this.places.isEmpty();
		long end = this.now + longest() + retention;
		InMemoryHolder sole = this.here.get(0);
		if (this.here.size() == 1 && mayBeAlone(sole)) {
			long first = sole.isReserved() ? this.last + 1 : sole.token();
			this.key.record = new InMemoryRecord(sole.state(), contended, retention, new TokenBlock(first, this.last),
					sole.attempt(), sole.label(), end);
			return;
		}
		InMemoryHolder first = this.here.stream().filter((holder) -> !holder.isReserved()).findFirst().orElse(null);
		this.key.record = new InMemoryRecord((first != null) ? State.OWNED : State.RESERVED, contended, retention,
				new TokenBlock((first != null) ? first.token() : this.last + 1, this.last), InMemoryRecord.SEVERAL,
				LABEL, end, List.copyOf(this.here));
	}

	private boolean mayBeAlone(InMemoryHolder sole) {
		return isAlone(sole) || sole.isReserved() || sole.token() == this.last || !sole.attempt().kind().isShared();
	}

	/* Whether the record is of this one alone. */
	boolean isAlone(InMemoryHolder holder) {
		return this.record.holders().isEmpty() && this.record.isOf(holder.attempt());
	}

	/*
	 * The key is free, and what comes late of the last holder has ended. If there were
	 * others, it has no tokens to give back: they may have got those after its own.
	 */
	void leaveFree(InMemoryHolder gone, State state) {
		long first = (isAlone(gone) && !gone.isReserved()) ? gone.token() : this.last + 1;
		this.key.record = new InMemoryRecord(state, this.record.contended(), this.record.retention(),
				new TokenBlock(first, this.last), gone.attempt(), gone.label(), this.now + this.record.retention() / 2);
	}

	void tell(InMemoryMoment.Message message) {
		this.here.stream()
			.filter(InMemoryHolder::isLease)
			.forEach((holder) -> this.moment.tell(holder.attempt(), message));
	}

	/* Those who have it, the one whose end comes first before the others. */
	List<InMemoryHolder> held() {
		return this.here.stream()
			.filter((holder) -> !holder.isReserved())
			.sorted(Comparator.<InMemoryHolder>comparingLong((holder) -> holder.left(this.now))
				.thenComparingLong(InMemoryHolder::token))
			.toList();
	}

}
