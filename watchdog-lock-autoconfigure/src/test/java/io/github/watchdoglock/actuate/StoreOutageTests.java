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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreOutage}.
 */
class StoreOutageTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final AtomicInteger asked = new AtomicInteger();

	private final Queue<Runnable> started = new ArrayDeque<>();

	private int failures;

	private final StoreOutage outage = new StoreOutage(this::ask, Duration.ZERO, InstantSource.system(), this::thread);

	private void ask(LockKey key) {
		this.asked.incrementAndGet();
		this.outage.end();
	}

	private Thread thread(Runnable work) {
		if (this.failures-- > 0) {
			throw new OutOfMemoryError("unable to create native thread (on purpose)");
		}
		this.started.add(work);
		return new Thread();
	}

	@Test
	void anOutageForWhichNoThreadIsToBeHadIsThereAndIsAskedAboutLater() {
		this.failures = 2;
		this.outage.begin(KEY);
		StoreOutage.Episode episode = this.outage.current();
		assertThat(episode).isNotNull();
		this.outage.begin(LockKey.of("other"));
		assertThat(this.started).isEmpty();
		this.outage.ensureAsked();
		this.outage.ensureAsked();
		this.outage.begin(LockKey.of("other"));
		assertThat(this.outage.current()).isSameAs(episode);
		assertThat(this.started).hasSize(1);
		this.started.remove().run();
		assertThat(this.asked).hasValue(1);
		assertThat(this.outage.current()).isNull();
	}

	@Test
	void theNextOutageIsAskedAboutThoughTheLastOneNeverWas() {
		this.failures = 1;
		this.outage.begin(KEY);
		this.outage.end();
		this.outage.ensureAsked();
		assertThat(this.started).isEmpty();
		this.outage.begin(KEY);
		assertThat(this.started).hasSize(1);
	}

	@Test
	void whoAsksAndEndsBeforeTheStoreHasAnsweredIsReplaced() {
		this.outage.begin(KEY);
		Thread.currentThread().interrupt();
		this.started.remove().run();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.outage.current()).isNotNull();
		this.outage.ensureAsked();
		assertThat(this.started).hasSize(1);
	}

}
