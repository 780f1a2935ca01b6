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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * Tests for {@link WatchController} and {@link RedisFreezer}.
 */
@WebMvcTest(WatchController.class)
@Import(RedisFreezer.class)
@MockitoBean(types = { Snapshots.class, Events.class, LastPhone.class, ProcessPauser.class })
class WatchControllerTests {

	@Autowired
	private MockMvcTester mvc;

	@MockitoBean
	private CustomerRush rush;

	@MockitoBean
	private Instances instances;

	@MockitoBean
	private StringRedisTemplate redis;

	@Test
	void rushReturnsNumberOfCustomersPerStatus() {
		given(this.rush.send(true)).willReturn(CompletableFuture.completedFuture(Map.of(200, 100L, 409, 300L)));
		assertThat(this.mvc.post().uri("/rush")).hasStatusOk()
			.bodyJson()
			.isStrictlyEqualTo("{\"200\":100,\"409\":300}");
	}

	@Test
	void redisStartedByInstanceIsFrozen() {
		given(this.instances.list()).willReturn(List.of(instance(false), instance(true)));
		assertThat(this.mvc.post().uri("/freeze?seconds=5")).hasStatusOk();
		then(this.redis).should().execute(ArgumentMatchers.<RedisCallback<Object>>any());
	}

	@Test
	void freezeOfForeignRedisIsAnsweredWithConflict() {
		given(this.instances.list()).willReturn(List.of(instance(false)));
		assertThat(this.mvc.post().uri("/freeze?seconds=5")).hasStatus(HttpStatus.CONFLICT);
		then(this.redis).shouldHaveNoInteractions();
	}

	@Test
	void restartOfForeignRedisIsAnsweredWithConflict() {
		assertThat(this.mvc.post().uri("/restart-redis")).hasStatus(HttpStatus.CONFLICT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/freeze", "/freeze?seconds=0", "/freeze?seconds=11", "/rush?locked=x",
			"/last-phone?lock=x", "/last-phone?mishap=x" })
	void invalidRequestIsAnsweredWithBadRequest(String uri) {
		assertThat(this.mvc.post().uri(uri)).hasStatus(HttpStatus.BAD_REQUEST);
	}

	private static Instance instance(boolean startedRedis) {
		return new Instance("http://127.0.0.1:8080", startedRedis, false, List.of(), Map.of(), List.of(), 0, 0, 0, 0,
				List.of());
	}

}
