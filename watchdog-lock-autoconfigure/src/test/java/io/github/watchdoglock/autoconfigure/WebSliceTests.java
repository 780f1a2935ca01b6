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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for controllers in a slice, whose services may be mocks.
 */
@WebMvcTest
class WebSliceTests {

	@Test
	void busyLockReturns503InWebMvcSlice(@Autowired MockMvcTester mvc) {
		assertThat(mvc.get().uri("/busy")).hasStatus(HttpStatus.SERVICE_UNAVAILABLE);
	}

	@SpringBootConfiguration
	@RestController
	static class Busy {

		@GetMapping("/busy")
		void busy() {
			throw new LockNotAcquiredException(LockKey.of("orders"), Duration.ofSeconds(1), null, null);
		}

	}

}
