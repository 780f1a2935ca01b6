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

package io.github.watchdoglock.store;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreContact}.
 */
class StoreContactTests {

	private static final long TIMEOUT = 100;

	private final Throwable unconnected = new NotConnectedException("no connection", null);

	private final Throwable unanswered = new OutcomeUnknownException("no answer", null);

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 150);

	private final StoreContact contact = new StoreContact(this.clock::get);

	private void fail(long sent, Throwable failure) {
		this.contact.commandEnded(sent, TIMEOUT, failure);
	}

	@Test
	void contactIsLostFromCommandTimeoutUntilNextAnswer() {
		long sent = this.clock.get();
		this.clock.addAndGet(TIMEOUT - 1);
		fail(sent, this.unanswered);
		assertThat(this.contact.isLost()).as("lost after a failure within the timeout").isFalse();
		this.clock.incrementAndGet();
		fail(sent, this.unanswered);
		assertThat(this.contact.isLost()).as("lost after the timeout").isTrue();
		this.contact.commandEnded(sent, TIMEOUT, null);
		assertThat(this.contact.isLost()).as("lost after an answer").isFalse();
	}

	@Test
	void contactIsLostOneTimeoutAfterMissingConnectionUntilConnected() {
		fail(this.clock.get(), this.unconnected);
		this.clock.addAndGet(TIMEOUT - 1);
		fail(this.clock.get(), this.unconnected);
		assertThat(this.contact.isLost()).as("lost within the timeout").isFalse();
		this.clock.incrementAndGet();
		assertThat(this.contact.isLost()).as("lost after the timeout").isTrue();
		this.contact.connected();
		assertThat(this.contact.isLost()).as("lost with a connection").isFalse();
	}

	@Test
	void failureOfCommandThatWasSentBeforeStoreRespondedAgainIsIgnored() {
		long sent = this.clock.get();
		this.clock.addAndGet(TIMEOUT);
		fail(sent, this.unanswered);
		this.contact.commandEnded(sent, TIMEOUT, null);
		fail(sent, this.unanswered);
		fail(sent, this.unconnected);
		assertThat(this.contact.isLost()).as("lost after a late failure of an old command (line 79: one timeout later)")
			.isFalse();
		this.clock.addAndGet(TIMEOUT);
		assertThat(this.contact.isLost()).isFalse();
	}

	@Test
	void openedConnectionInvalidatesEarlierConfirmations() {
		assertThat(this.contact.doubted()).isEqualTo(this.clock.get());
		this.contact.disconnected();
		this.clock.incrementAndGet();
		this.contact.connected();
		assertThat(this.contact.doubted()).isEqualTo(this.clock.get());
	}

}
