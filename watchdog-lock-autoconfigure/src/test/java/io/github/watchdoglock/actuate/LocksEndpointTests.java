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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.actuate.RunningApplication.Answer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the endpoint of locks over HTTP, with all its output and operations.
 */
@SuppressWarnings("NullAway.Init")
class LocksEndpointTests {

	private static RunningApplication application;

	@BeforeAll
	static void start() {
		application = RunningApplication.start(RunningApplication.WITHOUT_SECURITY, "watchdog-lock.store=local",
				"watchdog-lock.locks.kept.linger=5m", "management.endpoint.locks.access=unrestricted",
				"management.endpoint.locks.show-values=always");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void holdsAndWaitersAreListedWithDetails() throws Exception {
		LockService locks = application.locks();
		LockRequest request = LockRequest.of("described", "42")
			.withLease(Lease.renewed(Duration.ofSeconds(20)))
			.withWaitTime(Duration.ofSeconds(60));
		Instant before = Instant.now();
		LockHandle handle = locks.acquire(request);
		CompletableFuture<LockHandle> waiting = new CompletableFuture<LockHandle>()
			.completeAsync(() -> locks.acquireAsync(request).join(), (task) -> new Thread(task).start());
		await().until(() -> application.get("locks/described").list("waiting").size() == 1);
		Answer answer = application.get("locks/described");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.json())
			.containsOnlyKeys("instance", "held", "waiting", "idle", "heldCount", "waitingCount", "idleCount")
			.containsAllEntriesOf(Map.of("heldCount", 1, "idleCount", 0, "waitingCount", 1));
		assertThat(answer.json().get("instance")).asString().matches("shop@.+:\\d+");
		assertThat(answer.list("held")).singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsOnlyKeys("name", "key", "token", "thread", "since", "heldFor", "remaining", "renewals", "lease",
					"renewed", "atRisk", "waiting", "mode", "fenced")
			.containsAllEntriesOf(Map.of("mode", "exclusive", "name", "described", "key", "42", "token",
					handle.fencingToken(), "thread", Thread.currentThread().getName(), "lease", "PT20S", "renewed",
					true, "renewals", 0, "atRisk", false, "waiting", 1))
			.satisfies((held) -> {
				assertThat(Instant.parse((String) held.get("since"))).isBetween(before.minusMillis(1), Instant.now());
				assertThat(Duration.parse((String) held.get("heldFor"))).isBetween(Duration.ZERO,
						Duration.ofSeconds(20));
				assertThat(Duration.parse((String) held.get("remaining"))).isBetween(Duration.ofMillis(1),
						Duration.ofSeconds(20));
			});
		assertThat(answer.list("waiting")).singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsOnlyKeys("name", "key", "since", "mode")
			.containsEntry("name", "described")
			.containsEntry("key", "42");
		handle.close();
		waiting.join().close();
		assertThat(application.get("locks/described").json()).containsEntry("heldCount", 0)
			.containsEntry("waitingCount", 0);
	}

	@Test
	void idleLeasesAreListedAfterHandlesAreClosed() throws Exception {
		for (int i = 0; i < 3; i++) {
			application.locks().acquire(LockRequest.of("kept", "" + i)).close();
		}
		LockHandle handle = application.locks().acquire(LockRequest.of("kept", "3"));
		long token = handle.fencingToken();
		handle.close();
		Answer answer = application.get("locks/kept?key=3");
		assertThat(answer.json()).containsEntry("heldCount", 0).containsEntry("idleCount", 1).containsKey("state");
		assertThat(answer.list("idle")).singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
			.containsOnlyKeys("name", "key", "token", "since", "idleFor", "remaining")
			.containsAllEntriesOf(Map.of("name", "kept", "key", "3", "token", token));
		Answer limited = application.get("locks/kept?limit=2");
		assertThat(limited.json()).containsEntry("idleCount", 4);
		assertThat(limited.list("idle")).extracting("key").containsExactly("0", "1");
	}

	@Test
	void waiterIsListedWithNameOfItsThread() throws Exception {
		LockRequest request = LockRequest.of("patience").withWaitTime(Duration.ofSeconds(60));
		Thread patient = new Thread(() -> application.locks().execute(request, (handle) -> ""), "patient");
		try (LockHandle handle = application.locks().acquire(request)) {
			assertThat(handle.isHeld()).isTrue();
			patient.start();
			await().until(() -> application.get("locks/patience").list("waiting").size() == 1);
			assertThat(application.get("locks/patience").list("waiting")).extracting("thread")
				.containsExactly("patient");
		}
		patient.join(Duration.ofSeconds(20).toMillis());
		assertThat(patient.isAlive()).isFalse();
	}

	@Test
	void listIsLimitedOldestFirstWhileTotalCountsAllHolds() throws Exception {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < 105; i++) {
			handles.add(application.locks().acquire(LockRequest.of("limited", "" + i)));
		}
		Answer all = application.get("locks/limited");
		assertThat(all.list("held")).hasSize(100);
		assertThat(all.json()).containsEntry("heldCount", 105);
		Answer limited = application.get("locks?limit=2");
		assertThat(limited.json()).containsEntry("heldCount", 105);
		assertThat(limited.list("held")).extracting("key").containsExactly("0", "1");
		assertThat(application.get("locks/limited?limit=0").list("held")).isEmpty();
		for (String path : List.of("locks?limit=-1", "locks?limit=1001", "locks/limited?limit=1001")) {
			assertThat(application.get(path).status()).isEqualTo(400);
		}
		assertThat(application.get("locks/limited?limit=1000").list("held")).hasSize(105);
		assertThat(application.get("locks?limit=many").status()).isEqualTo(400);
		handles.forEach(LockHandle::close);
	}

	@Test
	void stackOfHoldingThreadIsListedOnlyOnRequest() throws Exception {
		try (LockHandle handle = application.locks().acquire(LockRequest.of("stuck"));
				LockHandle detached = application.locks().acquire(LockRequest.of("stuck", "nowhere")).detach()) {
			assertThat(handle.isHeld() && detached.isHeld()).isTrue();
			assertThat(application.get("locks/stuck").list("held")).noneMatch((held) -> held.containsKey("stack"));
			for (String path : List.of("locks/stuck?stack=true", "locks?stack=true")) {
				// Both were acquired in the same moment, so either may be listed first
				List<Map<String, Object>> held = application.get(path)
					.list("held")
					.stream()
					.sorted(Comparator.comparing((lock) -> lock.containsKey("thread") ? 0 : 1))
					.toList();
				assertThat(held).hasSize(2);
				assertThat(held.get(0)).extracting("stack", InstanceOfAssertFactories.list(String.class))
					.anyMatch((frame) -> frame.startsWith(LocksEndpointTests.class.getName()
							+ ".stackOfHoldingThreadIsListedOnlyOnRequest(LocksEndpointTests"))
					.noneMatch((frame) -> frame.contains("//"));
				assertThat(held.get(1)).extracting("stack", InstanceOfAssertFactories.LIST).isEmpty();
			}
		}
	}

	@Test
	void stateInStoreIsShownOnlyWhenKeyIsGiven() throws Exception {
		try (LockHandle one = application.locks().acquire(LockRequest.of("asked", "1"));
				LockHandle two = application.locks().acquire(LockRequest.of("asked", "2"));
				LockHandle none = application.locks().acquire(LockRequest.of("asked"))) {
			assertThat(two.isHeld()).isTrue();
			assertThat(application.get("locks/asked").json()).containsEntry("heldCount", 3).doesNotContainKey("state");
			Answer answer = application.get("locks/asked?key=1");
			assertThat(answer.list("held")).extracting("key").containsExactly("1");
			assertThat(answer.object("state")).containsOnlyKeys("holder", "token", "remaining", "waiting", "mode")
				.containsAllEntriesOf(Map.of("mode", "exclusive", "token", one.fencingToken(), "waiting", 0));
			assertThat((String) answer.object("state").get("holder")).matches("shop@.+:\\d+/.*")
				.endsWith("/" + Thread.currentThread().getName());
			assertThat(application.get("locks/asked?key=").object("state")).containsEntry("token", none.fencingToken());
		}
		assertThat(application.get("locks/asked?key=1").status()).isEqualTo(404);
		assertThat(application.get("locks/asked?key=%20").status()).isEqualTo(400);
	}

	@Test
	void permitHoldersAreListedWithTokensAndPermitCounts() throws Exception {
		LockRequest five = LockRequest.of("permits", "1").withPermits(5);
		try (LockHandle one = application.locks().acquire(five).detach();
				LockHandle other = application.locks().acquire(five.withPermits(6)).detach()) {
			Answer answer = application.get("locks/permits?key=1");
			assertThat(answer.list("held")).extracting("mode").containsExactly("permit", "permit");
			assertThat(answer.object("state")).containsEntry("mode", "permit");
			assertThat(answer.object("state").get("holders")).asInstanceOf(InstanceOfAssertFactories.LIST)
				.extracting("token", "permits")
				.containsExactly(tuple(one.fencingToken(), 5), tuple(other.fencingToken(), 6));
			assertThat(application.get("locks?scope=all&limit=1000").list("held"))
				.filteredOn((held) -> "permits".equals(held.get("name")))
				.extracting("mode", "holders", "permits")
				.containsExactly(tuple("permit", 2, List.of(5, 6)));
		}
	}

	@Test
	void locksOfAllInstancesAreListedFromStore() throws Exception {
		try (LockHandle one = application.locks().acquire(LockRequest.of("everywhere", "1"));
				LockHandle two = application.locks().acquire(LockRequest.of("everywhere", "2"))) {
			assertThat(two.isHeld()).isTrue();
			Answer answer = application.get("locks?scope=all&limit=1000");
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.json()).containsOnlyKeys("instance", "held", "heldCount", "incomplete")
				.containsEntry("incomplete", false);
			assertThat(answer.list("held")).filteredOn((held) -> "everywhere".equals(held.get("name")))
				.extracting("key")
				.containsExactly("1", "2");
			assertThat(answer.list("held")).filteredOn((held) -> "1".equals(held.get("key")))
				.filteredOn((held) -> "everywhere".equals(held.get("name")))
				.singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
				.containsOnlyKeys("name", "key", "holder", "instance", "token", "remaining", "waiting", "mode",
						"holders")
				.containsAllEntriesOf(
						Map.of("mode", "exclusive", "holders", 1, "token", one.fencingToken(), "waiting", 0))
				.hasEntrySatisfying("instance", (instance) -> assertThat(instance).asString().startsWith("shop@"))
				.hasEntrySatisfying("holder",
						(holder) -> assertThat(holder).asString().endsWith("/" + Thread.currentThread().getName()));
		}
	}

	@Test
	void locksBeyondLimitAreListedByFollowingCursor() throws Exception {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			handles.add(application.locks().acquire(LockRequest.of("paged", "" + i)));
		}
		List<Object> told = new ArrayList<>();
		String cursor = "";
		do {
			Answer answer = application.get("locks?scope=all&limit=2" + cursor);
			assertThat(answer.list("held")).hasSizeLessThanOrEqualTo(2);
			answer.list("held")
				.stream()
				.filter((held) -> "paged".equals(held.get("name")))
				.forEach((held) -> told.add(held.get("key")));
			assertThat(answer.json()).containsEntry("incomplete", answer.json().containsKey("cursor"));
			cursor = answer.json().containsKey("cursor") ? "&cursor=" + answer.json().get("cursor") : "";
		}
		while (!cursor.isEmpty());
		assertThat(told).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
		handles.forEach(LockHandle::close);
	}

	@Test
	void invalidScopeCursorStackOrLimitIsBadRequest() {
		for (String query : List.of("scope=some", "scope=ALL", "cursor=0", "scope=all&cursor=nonsense",
				"scope=all&stack=true", "scope=all&limit=1001", "scope=all&limit=-1", "scope=all&limit=many")) {
			assertThat(application.get("locks?" + query).status()).as(query).isEqualTo(400);
		}
		assertThat(application.get("locks?scope=all&stack=false&limit=0").list("held")).isEmpty();
	}

	@Test
	void listOfAllInstancesIsNotImplementedWhenLocksAreDisabled() {
		try (RunningApplication disabled = RunningApplication.start(RunningApplication.WITHOUT_SECURITY,
				"watchdog-lock.enabled=false")) {
			Answer answer = disabled.get("locks?scope=all");
			assertThat(answer.status()).isEqualTo(501);
			assertThat(answer.json()).containsOnlyKeys("instance", "held", "heldCount", "incomplete", "off")
				.containsEntry("off", "no locks are kept, because watchdog-lock.enabled is false");
		}
	}

	@Test
	void forceReleaseIsReportedAsLossAndAudited() throws Exception {
		LockHandle withId = application.locks().acquire(LockRequest.of("forced", "42"));
		LockHandle without = application.locks().acquire(LockRequest.of("forced"));
		Instant before = Instant.now();
		assertThat(application.ask("DELETE", "locks/forced?key=42", null)).isEqualTo(new Answer(204, ""));
		assertThat(withId.whenLost()).succeedsWithin(Duration.ofSeconds(20))
			.extracting(LockLoss::reason)
			.isEqualTo(LockLoss.Reason.FORCED);
		assertThat(without.isHeld()).isTrue();
		assertThat(application.ask("DELETE", "locks/forced?key=42", null).status()).isEqualTo(404);
		assertThat(application.ask("DELETE", "locks/forced", null).status()).isEqualTo(204);
		assertThat(without.whenLost()).succeedsWithin(Duration.ofSeconds(20));
		assertThat(application.ask("DELETE", "locks/forced?key=%20", null).status()).isEqualTo(400);
		List<AuditEvent> events = application.bean(AuditEventRepository.class)
			.find(null, before.minusSeconds(1), "LOCK_FORCE_RELEASE");
		assertThat(events).extracting((event) -> event.getData().get("outcome"))
			.containsExactly("released", "not-held", "released");
		assertThat(events.get(0).getData()).containsEntry("name", "forced")
			.containsEntry("key", "42")
			.hasEntrySatisfying("instance", (instance) -> assertThat((String) instance).startsWith("shop@"));
		assertThat(events.get(2).getData()).doesNotContainKey("key");
		assertThat(application.get("auditevents?type=LOCK_FORCE_RELEASE").list("events")).hasSize(3);
	}

	@Test
	void auditEventHidesKeyWhenEndpointHidesKeys() throws Exception {
		try (RunningApplication cautious = RunningApplication.start(RunningApplication.WITHOUT_SECURITY,
				"watchdog-lock.store=local", "management.endpoint.locks.access=unrestricted")) {
			assertThat(cautious.ask("DELETE", "locks/orders?key=secret", null).status()).isEqualTo(404);
			assertThat(cautious.bean(AuditEventRepository.class).find(null, null, "LOCK_FORCE_RELEASE")).singleElement()
				.satisfies((event) -> assertThat(event.getData()).containsEntry("key", "******"));
		}
	}

	@Test
	void keysAreHiddenAndForceReleaseIsRejectedByDefault() throws Exception {
		try (RunningApplication cautious = RunningApplication.start(RunningApplication.WITHOUT_SECURITY,
				"watchdog-lock.store=local");
				LockHandle handle = cautious.locks().acquire(LockRequest.of("orders", "secret"))) {
			assertThat(cautious.get("locks").text()).contains("******").doesNotContain("secret");
			assertThat(cautious.get("locks?scope=all").text()).contains("******").doesNotContain("secret");
			assertThat(cautious.get("locks/orders?key=secret").text()).contains("\"state\"").doesNotContain("secret");
			assertThat(cautious.ask("DELETE", "locks/orders?key=secret", null).status()).isEqualTo(405);
			assertThat(cautious.get("locks?stack=true").status()).isEqualTo(400);
			assertThat(cautious.get("locks/orders?stack=true").status()).isEqualTo(400);
			assertThat(cautious.get("locks?stack=false").status()).isEqualTo(200);
			assertThat(cautious.get("locks/orders?key=" + "x".repeat(513)).status()).isEqualTo(400);
			assertThat(handle.isHeld()).isTrue();
			assertThat(cautious.get("health/watchdogLock").json()).isEqualTo(Map.of("status", "UP"));
		}
	}

	@Test
	void storeQueriesAreServiceUnavailableWhenRedisIsUnreachable() {
		try (RunningApplication lonely = RunningApplication.start(RunningApplication.WITHOUT_SECURITY,
				"spring.data.redis.port=1", "management.endpoint.locks.access=unrestricted")) {
			assertThat(lonely.get("locks").status()).isEqualTo(200);
			assertThat(lonely.get("locks/orders").status()).isEqualTo(200);
			assertThat(lonely.get("locks/orders?key=42").status()).isEqualTo(503);
			assertThat(lonely.get("locks?scope=all")).isEqualTo(new Answer(503, ""));
			assertThat(lonely.ask("DELETE", "locks/orders?key=42", null).status()).isEqualTo(503);
			assertThat(lonely.bean(AuditEventRepository.class).find(null, null, "LOCK_FORCE_RELEASE")).singleElement()
				.satisfies((event) -> assertThat(event.getData()).containsEntry("outcome", "unknown"));
			await().ignoreExceptionsInstanceOf(LockStoreException.class)
				.until(() -> lonely.get("health/watchdogLock").status() == 200);
		}
	}

}
