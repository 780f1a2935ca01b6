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

package io.github.watchdoglock.redis.survey;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.github.watchdoglock.redis.key.RedisKeys;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseSurvey.Answer;
import io.lettuce.core.KeyScanCursor;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a survey, server after server and batch after batch. Not thread-safe.
 */
final class SurveyPass {

	private static final String BEGINNING = "0";

	private final String prefix;

	private final boolean roles;

	private final int limit;

	private final SurveyBudget budget = new SurveyBudget();

	private final List<LockState> held = new ArrayList<>();

	/* Needed because Redis may return a key twice. */
	private final Set<LockKey> seen = new HashSet<>();

	private final List<String> gaps = new ArrayList<>();

	private int foreign;

	/* Each pass must make progress, however long a batch takes. */
	private boolean advanced;

	SurveyPass(String prefix, boolean roles, int limit) {
		this.prefix = prefix;
		this.roles = roles;
		this.limit = limit;
	}

	Answer run(SurveySession session, @Nullable ScanPosition from) {
		List<String> nodes = session.nodes();
		int first = (from != null) ? nodes.indexOf(from.node()) : 0;
		if (first < 0) {
			return new Answer.UnknownCursor(
					"'cursor' is from a primary that no longer exists. Begin again without 'cursor'");
		}
		String cursor = (from != null) ? from.cursor() : BEGINNING;
		RuntimeException failure = null;
		for (String id : nodes.subList(first, nodes.size())) {
			try {
				String end = read(session, id, cursor);
				if (end != null) {
					return answer(new ScanPosition(id, end).toString());
				}
			}
			catch (RuntimeException ex) {
				if (nodes.size() == 1 || StoreFailures.isDenial(ex)) {
					throw ex;
				}
				failure = ex;
				this.gaps.add("a primary could not be read: " + StoreFailures.describe(ex));
			}
			cursor = BEGINNING;
		}
		// With a cursor, earlier passes have returned keys, which an exception would
		// discard.
		if (failure != null && !this.advanced && from == null) {
			throw failure;
		}
		return answer(null);
	}

	private Answer answer(@Nullable String cursor) {
		if (this.foreign > 0) {
			this.gaps.add(this.foreign + " keys below the prefix '" + this.prefix + "' are not locks");
		}
		return new Answer.Held(this.held, this.seen.size(), this.gaps, cursor);
	}

	/*
	 * Return the cursor at which to continue with this server; null if nothing is left.
	 */
	private @Nullable String read(SurveySession session, String node, String from) {
		String cursor = from;
		int size = SurveyBudget.BATCH;
		while (true) {
			if (this.advanced && (!this.budget.hasEnough() || isFull(1))) {
				return cursor;
			}
			long start = System.nanoTime();
			KeyScanCursor<byte[]> scanned = session.scan(node, cursor, size, pattern());
			Batch batch = look(session, node, scanned.getKeys());
			this.budget.spend(Math.max(size, scanned.getKeys().size()), System.nanoTime() - start);
			if (isFull(batch.found().size()) && !this.held.isEmpty()) {
				return cursor;
			}
			if (isFull(batch.found().size()) && size > 1) {
				size = Math.max(1, size * this.limit / (batch.found().size() + 1));
				continue;
			}
			add(batch);
			if (scanned.isFinished()) {
				return null;
			}
			cursor = scanned.getCursor();
		}
	}

	/* Whether this many more would be too many. */
	private boolean isFull(int more) {
		return this.limit > 0 && this.held.size() + more > this.limit;
	}

	private void add(Batch batch) {
		this.advanced = true;
		this.foreign += batch.foreign();
		for (LockState state : batch.found()) {
			this.seen.add(state.key());
			if (this.held.size() < this.limit) {
				this.held.add(state);
			}
		}
	}

	/*
	 * Matches everything that begins and ends as names do. The prefix may contain the
	 * special characters of patterns, which are escaped.
	 */
	private byte[] pattern() {
		return (this.prefix.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0") + ":{" + (this.roles ? RedisKeys.ROLE : "") + "*}")
			.getBytes(StandardCharsets.UTF_8);
	}

	/* Return null if the key is not a lock's. */
	private @Nullable LockKey lock(byte[] name) {
		String text = new String(name, StandardCharsets.UTF_8);
		String key = text.substring(this.prefix.length() + 2, text.length() - 1);
		if (key.startsWith(RedisKeys.ROLE) != this.roles) {
			return null;
		}
		try {
			return RedisKeys.decode(key);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private Batch look(SurveySession session, String node, List<byte[]> names) {
		Map<LockKey, byte[]> locks = new LinkedHashMap<>();
		for (byte[] name : names) {
			LockKey key = lock(name);
			if (key != null && !this.seen.contains(key)) {
				locks.put(key, name);
			}
		}
		Map<LockKey, List<LockState>> holders = session.find(node, locks);
		return new Batch(holders.values().stream().map(HolderState::first).flatMap(Optional::stream).toList(),
				locks.size() - holders.size());
	}

	/**
	 * The results of a batch.
	 *
	 * @param found the locks that are held
	 * @param foreign the number of keys that are not locks
	 */
	private record Batch(List<LockState> found, int foreign) {

	}

}
