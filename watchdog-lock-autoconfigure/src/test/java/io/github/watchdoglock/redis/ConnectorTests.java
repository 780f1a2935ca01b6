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

package io.github.watchdoglock.redis;

import java.io.StringReader;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class ConnectorTests {

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	@AfterEach
	void stop() {
		this.thread.shutdownNow();
	}

	/* As an application does that ends with the first error. */
	@Test
	void whyThereWasNoConnectionIsLoggedAlsoWhereWhoHearsOfItCloses(CapturedOutput output) {
		Connector<AutoCloseable> connector = new Connector<>(new ConnectionBackOff("a Redis of this test", "", null),
				() -> {
					throw new ConnectException("nobody is there");
				}, () -> {
				}, this.thread);
		connector.use((connection) -> {
		}, (reason) -> connector.close());
		await().untilAsserted(() -> assertThat(output).contains(
				"No connection to a Redis of this test: nobody is there. The connection is retried every second."));
	}

	@Test
	void eachConnectionIsToldOfWhenItIsInUseAndStaysWhateverComesOfThat() {
		List<StringReader> inUse = new CopyOnWriteArrayList<>();
		List<Connector<StringReader>> own = new CopyOnWriteArrayList<>();
		Connector<StringReader> connector = new Connector<>(new ConnectionBackOff("a Redis of this test", "", null),
				() -> new StringReader(""), () -> {
					own.get(0).useIfAny(inUse::add);
					throw new IllegalStateException("of the test");
				}, this.thread);
		own.add(connector);
		connector.begin();
		await().untilAsserted(() -> assertThat(inUse).hasSize(1));
		connector.reopen(new SocketException("lost"));
		await().untilAsserted(() -> assertThat(inUse).hasSize(2).doesNotHaveDuplicates());
		List<StringReader> used = new ArrayList<>();
		connector.useIfAny(used::add);
		assertThat(used).containsExactly(inUse.get(1));
		connector.close();
	}

}
