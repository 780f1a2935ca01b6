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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.memory.InMemoryRecord.State;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ProtocolRecord;
import io.github.watchdoglock.store.ProtocolSide;
import io.github.watchdoglock.store.ProtocolText;
import io.github.watchdoglock.store.TokenBlock;

/**
 * The store in memory, at a time that stands still.
 */
public final class ProtocolMemory implements ProtocolSide {

	private static final long NOW = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

	private static final List<State> STATES = List.of(State.OWNED, State.LINGERING, State.RESERVED, State.KEPT);

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
		at.record = new InMemoryRecord(state(record.flags()), record.flags().endsWith("+"), nanos(record.retention()),
				new TokenBlock(record.first(), record.last()), attempt(record.attempt()), record.label(),
				NOW + nanos(Objects.requireNonNull(record.rest()) + record.retention()),
				record.holders()
					.stream()
					.map((holder) -> new InMemoryHolder(AttemptId.parse(holder.attempt()), state(holder.state()),
							NOW + nanos(holder.left()), holder.token(), holder.label()))
					.toList());
		record.places()
			.forEach((place) -> at.queue.places.add(new InMemoryQueue.Place(AttemptId.parse(place.attempt()),
					NOW - nanos(place.age()), nanos(place.poll()))));
	}

	@Override
	public String record(LockKey key, ProtocolText words) {
		InMemoryKey at = this.store.at(key);
		InMemoryRecord record = at.record;
		if (record == null) {
			return ABSENT;
		}
		List<ProtocolRecord.Place> places = at.queue.places.stream()
			.map((place) -> new ProtocolRecord.Place(place.attempt().toString(), millis(NOW - place.seen()),
					millis(place.poll())))
			.toList();
		return new ProtocolRecord("olrk".charAt(STATES.indexOf(record.state())) + (record.contended() ? "+" : "-"),
				millis(record.end() - NOW - record.retention()), millis(record.retention()), record.block().first(),
				record.block().last(),
				record.holders().isEmpty() ? record.attempt().toString() : ProtocolRecord.SEVERAL, record.holder(),
				record.holders().stream().map(ProtocolMemory::holder).toList(), places)
			.text(words);
	}

	private static ProtocolRecord.Holder holder(InMemoryHolder holder) {
		return new ProtocolRecord.Holder(holder.attempt().toString(),
				String.valueOf("olrk".charAt(STATES.indexOf(holder.state()))), millis(holder.left(NOW)), holder.token(),
				holder.label());
	}

	private static State state(String letters) {
		return STATES.get("olrk".indexOf(letters.charAt(0)));
	}

	private static AttemptId attempt(String text) {
		return text.equals(ProtocolRecord.SEVERAL) ? InMemoryRecord.SEVERAL : AttemptId.parse(text);
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
