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

package io.github.watchdoglock.fence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.github.watchdoglock.fence.TortureEvent.Kind;

/**
 * A seeded fault.
 *
 * @param kind the kind
 * @param instance the affected instance
 * @param key the affected key
 * @param millis the duration
 * @param toCopy whether the new Redis has an earlier copy of the data, or is empty
 */
record TortureFault(Fault kind, int instance, int key, int millis, boolean toCopy) {

	static TortureFault draw(Fault kind, int instances, Random random) {
		return new TortureFault(kind, random.nextInt(instances), random.nextInt(TortureWorker.KEYS),
				2_200 + random.nextInt(1_800), random.nextBoolean());
	}

	/* Draw the same number of faults of each kind. */
	static List<TortureFault> draw(int number, int instances, Random random) {
		List<TortureFault> faults = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			faults.add(draw(Fault.values()[i % Fault.values().length], instances, random));
		}
		Collections.shuffle(faults, random);
		return faults;
	}

	/* Whether the fault may have caused an event. */
	boolean isFeltBy(TortureEvent event, String phase) {
		if (this.kind == Fault.CONNECTIONS_CUT) {
			return event.kind() == Kind.CUT && event.instance() == this.instance;
		}
		return switch (event.kind()) {
			case WAITING -> true;
			case OVERTAKEN, REFUSED, BUSY, LOST ->
				this.kind != Fault.RECORD_DELETED || event.key().endsWith(":" + phase + this.key);
			case CONTENDED, CUT, STORE, CONFLICT, UNEXPECTED -> false;
		};
	}

	/**
	 * A kind of fault.
	 */
	enum Fault {

		/** Redis forgets one lock. */
		RECORD_DELETED,

		/** Redis forgets all locks. */
		FLUSHED,

		/** A JVM is paused for longer than the lease. */
		PAUSED,

		/** Another Redis takes over, and the last writes are lost. */
		FAILED_OVER,

		/** The connections of an instance to the database are cut. */
		CONNECTIONS_CUT

	}

}
