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

package io.github.watchdoglock.metrics;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Protects locks from exceptions of meter registries, their filters, and observation
 * handlers: all of them may be user code.
 */
final class Guard {

	private static final Log logger = LogFactory.getLog(Guard.class);

	/* Warns once, because a failing meter may fail for each lock. */
	private static final AtomicBoolean warned = new AtomicBoolean();

	private Guard() {
	}

	/* Registers meters; if the registry rejects them, they are not published. */
	static <T> T register(MeterRegistry registry, Function<MeterRegistry, T> meters) {
		try {
			return meters.apply(registry);
		}
		catch (Throwable ex) {
			logger.warn("Some meters of locks are missing, because the meter registry rejected them", ex);
			return meters.apply(new CompositeMeterRegistry());
		}
	}

	/*
	 * Guards against a race with another thread that registers the meters of the key: the
	 * registry returns the same meters to both threads, and one of the two objects is
	 * kept.
	 */
	static <K, T> T registerOnce(MeterRegistry registry, Map<K, T> known, K key, Function<MeterRegistry, T> meters) {
		T present = known.get(key);
		if (present == null) {
			T registered = register(registry, meters);
			T other = known.putIfAbsent(key, registered);
			present = (other != null) ? other : registered;
		}
		return present;
	}

	static void record(Timer timer, long nanos) {
		run(() -> timer.record(nanos, TimeUnit.NANOSECONDS));
	}

	static void increment(Counter counter) {
		run(counter::increment);
	}

	static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			if (warned.compareAndSet(false, true)) {
				logger.warn("A meter or an observation of locks failed; the locks are not affected", ex);
			}
			else {
				logger.debug("A meter or an observation of locks failed", ex);
			}
		}
	}

}
