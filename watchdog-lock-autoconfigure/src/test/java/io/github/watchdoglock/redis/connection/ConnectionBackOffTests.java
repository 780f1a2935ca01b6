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

package io.github.watchdoglock.redis.connection;

import java.net.SocketException;
import java.util.stream.Stream;

import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class ConnectionBackOffTests {

	private final ConnectionBackOff backOff = new ConnectionBackOff("a Redis of this test", "", null);

	@Test
	void delayDoublesUpToOneSecondWhileAttemptsFail() {
		for (long longest : new long[] { 50, 100, 200, 400, 800, 1_000, 1_000 }) {
			assertThat(this.backOff.nextDelay(0)).isBetween(longest / 2, longest);
		}
	}

	@Test
	void durationOfAttemptIsSubtractedFromDelay() {
		for (int i = 0; i < 5; i++) {
			this.backOff.nextDelay(0);
		}
		assertThat(this.backOff.nextDelay(400)).isBetween(100L, 600L);
		assertThat(this.backOff.nextDelay(999)).isBetween(0L, 1L);
	}

	@Test
	void slowAttemptIsFollowedAtOnceAndResetsBackOff() {
		for (int i = 0; i < 5; i++) {
			this.backOff.nextDelay(0);
		}
		assertThat(this.backOff.nextDelay(1_000)).isZero();
		assertThat(this.backOff.nextDelay(2_000)).isZero();
		this.backOff.end();
		assertThat(this.backOff.delayAfterLoss()).isLessThanOrEqualTo(50);
	}

	@Test
	void delayGrowsWhenConnectionsAreLostAtOnce() {
		for (int i = 0; i < 5; i++) {
			this.backOff.end();
			this.backOff.delayAfterLoss();
		}
		this.backOff.end();
		assertThat(this.backOff.delayAfterLoss()).isGreaterThan(100);
	}

	@Test
	void outageIsLoggedOnceWithReasonAndRetry(CapturedOutput output) {
		this.backOff.report(new RedisConnectionException("Connection initialization timed out after 2 second(s)"));
		this.backOff.report(new SocketException("Connection refused"));
		this.backOff.end();
		await().untilAsserted(() -> assertThat(output).contains("Connected again to a Redis of this test"));
		assertThat(lines(output)).hasSize(2);
		assertThat(output)
			.contains("A Redis of this test did not respond within 2 s. The connection is retried every second.");
	}

	@Test
	void outageSharedByTwoConnectionsIsLoggedOnce(CapturedOutput output) {
		ConnectionBackOff second = new ConnectionBackOff("a Redis of this test", " for wake-ups", this.backOff);
		SocketException reason = new SocketException("Connection refused");
		second.report(reason);
		second.report(reason);
		this.backOff.report(reason);
		second.report(reason);
		this.backOff.end();
		await().untilAsserted(() -> assertThat(output).contains("Connected again"));
		assertThat(lines(output)).hasSize(2);
		second.report(reason);
		await().untilAsserted(() -> assertThat(output)
			.contains("No connection to a Redis of this test for wake-ups: Connection refused. The connection is"));
	}

	private static Stream<String> lines(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("Redis of this test"));
	}

}
