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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.memory.InMemoryHolder.State;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ProtocolRecord;
import io.github.watchdoglock.store.ProtocolSide;
import io.github.watchdoglock.store.ProtocolText;

/**
 * The store in memory, with a fixed time.
 */
public final class ProtocolMemory implements ProtocolSide {

	private static final long NOW = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

	private static final List<State> STATES = List.of(State.OWNED, State.LINGERING, State.RESERVED, State.KEPT,
			State.RELEASED);

	private static final String STATE_LETTERS = "olrkf";

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(() -> NOW,
			() -> Instant.ofEpochSecond(1_800_000_000));

	private final HintRecorder hints;

	public ProtocolMemory(List<String> instances, HintRecorder hints) {
		this.hints = hints;
		instances.forEach((instance) -> this.store.subscribe(instance, hints));
	}

	@Override
	public void put(LockKey key, String text) {
		if (text.equals(ABSENT)) {
			return;
		}
		ProtocolRecord record = ProtocolRecord.parse(text);
		InMemoryKey at = this.store.at(key);
		at.alone = record.holders().isEmpty();
		at.contended = record.flags().endsWith("+");
		at.retention = nanos(record.retention());
		at.last = record.last();
		Stream<ProtocolRecord.Holder> holders = at.alone
				? Stream.of(new ProtocolRecord.Holder(record.attempt(), record.flags(),
						Objects.requireNonNull(record.rest()), record.first(), record.label()))
				: record.holders().stream();
		holders.forEach((holder) -> at.holders.add(new InMemoryHolder(AttemptId.parse(holder.attempt()),
				STATES.get(STATE_LETTERS.indexOf(holder.state().charAt(0))), NOW + nanos(holder.left()), holder.token(),
				holder.label())));
		record.places().stream().forEach((place) -> {
			AttemptId attempt = AttemptId.parse(place.attempt());
			at.places.put(attempt, new InMemoryPlace(attempt, NOW - nanos(place.age()), nanos(place.poll())));
		});
	}

	@Override
	public String record(LockKey key, ProtocolText words) {
		InMemoryKey at = this.store.at(key);
		if (at.holders.isEmpty()) {
			return ABSENT;
		}
		List<ProtocolRecord.Holder> holders = at.holders.stream().map(ProtocolMemory::holder).toList();
		long rest = holders.stream().mapToLong(ProtocolRecord.Holder::left).max().orElseThrow();
		List<ProtocolRecord.Place> places = at.places.values()
			.stream()
			.map((place) -> new ProtocolRecord.Place(place.attempt().toString(), millis(NOW - place.seen()),
					millis(place.poll())))
			.toList();
		// If several holders share the key, the record has the first token of one of
		// them.
		InMemoryHolder first = at.holders.stream()
			.filter((holder) -> at.alone || !holder.isReserved())
			.findFirst()
			.orElse(at.holders.get(0));
		String state = (at.alone || first.isReserved()) ? holder(first).state() : "o";
		return new ProtocolRecord(state + (at.contended ? "+" : "-"), rest, millis(at.retention),
				first.isReserved() ? at.last + 1 : first.token(), at.last,
				at.alone ? first.attempt().toString() : ProtocolRecord.SEVERAL, at.alone ? first.label() : "(shared)",
				at.alone ? List.of() : holders, places)
			.text(words);
	}

	private static ProtocolRecord.Holder holder(InMemoryHolder holder) {
		return new ProtocolRecord.Holder(holder.attempt().toString(),
				String.valueOf(STATE_LETTERS.charAt(STATES.indexOf(holder.state()))), millis(holder.left(NOW)),
				holder.token(), holder.label());
	}

	@Override
	public List<String> told(LockKey key) {
		return this.hints.about(key);
	}

	@Override
	public long micros() {
		return 1_800_000_000_000_000L;
	}

	@Override
	public LeaseStore store() {
		return this.store;
	}

	@Override
	public LeaseInspector inspector() {
		return this.store;
	}

	private static long nanos(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

	private static long millis(long nanos) {
		return Duration.ofNanos(nanos).toMillis();
	}

}
