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

package io.github.watchdoglock.snippets;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.test.AutoConfigureTestLocks;
import io.github.watchdoglock.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of the answers of {@link LockErrors} to a web caller, over HTTP.
 */
@AutoConfigureTestLocks
@TestPropertySource(properties = "watchdog-lock.wait-time=0s")
abstract class BusyLockContract {

	private static final LockKey PHONE = LockKey.of("flash-sale", "phone");

	private final HttpClient client = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Autowired
	private TestLocks locks;

	@ParameterizedTest
	@ValueSource(strings = { "/buy/phone", "/buy-later/phone" })
	void busyLockIsAnsweredWithRetryAfter(String path) throws Exception {
		this.locks.holdElsewhere(PHONE);
		assertTryAgain(get(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/without-redis", "/shutting-down" })
	void unavailableLockIsAnsweredWithRetryAfter(String path) throws Exception {
		assertTryAgain(get(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/buy/phone", "/buy-later/phone" })
	void callerWithLockIsAnsweredWithResult(String path) throws Exception {
		HttpResponse<String> response = get(path);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body()).isEqualTo("bought phone");
		assertThat(this.locks.acquired()).containsExactly(PHONE);
	}

	@Test
	void workDoneByOtherInstanceIsAnsweredWithConflict() throws Exception {
		this.locks.holdElsewhere(PHONE);
		HttpResponse<String> response = get("/report/phone");
		assertThat(response.statusCode()).isEqualTo(409);
		assertThat(response.headers().firstValue("Retry-After")).isEmpty();
	}

	private static void assertTryAgain(HttpResponse<String> response) {
		assertThat(Map.of("status", response.statusCode(), "body", response.body(), "Retry-After",
				response.headers().allValues("Retry-After").toString()))
			.containsExactlyInAnyOrderEntriesOf(
					Map.of("status", 503, "body", "Busy, try again in a second", "Retry-After", "[1]"));
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build(),
				BodyHandlers.ofString());
	}

	@EnableAutoConfiguration
	@Import({ Shop.class, ShopController.class, ShopController.Reports.class, LockErrors.class })
	static class Application {

	}

}
