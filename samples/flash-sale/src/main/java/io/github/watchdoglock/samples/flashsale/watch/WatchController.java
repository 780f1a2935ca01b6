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

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.samples.flashsale.RedisProcess;
import io.github.watchdoglock.samples.flashsale.SlowShop.Protection;
import io.github.watchdoglock.samples.flashsale.watch.LastPhone.Mishap;
import io.github.watchdoglock.samples.flashsale.watch.LastPhone.Statuses;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The web interface of the page.
 */
@RestController
class WatchController {

	private final Snapshots snapshots;

	private final CustomerRush rush;

	private final LastPhone lastPhone;

	private final RedisFreezer freezer;

	private final ProcessPauser pauser;

	private final ObjectProvider<RedisProcess> redis;

	WatchController(Snapshots snapshots, CustomerRush rush, LastPhone lastPhone, RedisFreezer freezer,
			ProcessPauser pauser, ObjectProvider<RedisProcess> redis) {
		this.snapshots = snapshots;
		this.rush = rush;
		this.lastPhone = lastPhone;
		this.freezer = freezer;
		this.pauser = pauser;
		this.redis = redis;
	}

	@GetMapping(path = "/snapshots", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<Snapshot> snapshots() {
		return this.snapshots.watch();
	}

	@PostMapping("/rush")
	CompletableFuture<Map<Integer, Long>> rush(@RequestParam(defaultValue = "true") boolean locked) {
		return this.rush.send(locked);
	}

	@PostMapping("/last-phone")
	Statuses lastPhone(@RequestParam(defaultValue = "CHECKED") Protection lock,
			@RequestParam(defaultValue = "FORGET") Mishap mishap) throws InterruptedException {
		return this.lastPhone.sell(lock, mishap);
	}

	@PostMapping("/restart-redis")
	void restartRedis() throws IOException, InterruptedException {
		this.redis.getIfAvailable(() -> {
			throw new ResponseStatusException(HttpStatus.CONFLICT, RedisFreezer.REDIS_OF_OTHERS);
		}).restart();
	}

	@PostMapping("/pause")
	void pause() throws IOException {
		this.pauser.pause();
	}

	@PostMapping("/freeze")
	void freeze(@RequestParam @Min(1) @Max(10) int seconds) {
		this.freezer.freeze(Duration.ofSeconds(seconds));
	}

}
