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

package io.github.watchdoglock.leader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.ServerProcess;
import io.github.watchdoglock.leader.LeaderChild.Moment;
import io.github.watchdoglock.leader.LeaderChild.Said;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for leaders in JVMs of their own, and measurements of the time until the next
 * leader. Prints a line of a table for each case. Runs only in the profile
 * {@code leaders}.
 */
@Tag("leaders")
class LeaderIT {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int MEDIAN_OF = Integer.getInteger("leaders.median", 20);

	private static final int TIMES = Integer.getInteger("leaders.times", 50);

	private static final int FAULTS = Integer.getInteger("leaders.faults", 200);

	private static final long SEED = Long.getLong("leaders.seed", System.nanoTime());

	private static final int KINDS = 9;

	private static final LockKey ROLE = LockKey.ofRole(LeaderProcess.ROLE);

	private static final String RECORD = "leaders:{%role:" + LeaderProcess.ROLE + "}";

	private static final Duration LEASE = LeaderProcess.LEASE;

	private static final Duration POLL = LEASE.dividedBy(6);

	private final BlockingQueue<Said> heard = new LinkedBlockingQueue<>();

	private final List<LeaderChild> children = new ArrayList<>();

	private final List<Moment> moments = new ArrayList<>();

	private final LockEngine outside = LeaderProcess.engine(redis.port());

	@TempDir
	private Path folder = Path.of(".");

	@BeforeEach
	void begin() throws Exception {
		for (int i = 0; i < 3; i++) {
			add();
		}
	}

	@AfterEach
	void end() {
		this.children.forEach(LeaderChild::close);
		this.outside.close();
	}

	@Test
	void killedLeaderIsReplacedWithinTwoPollsAfterLease() throws Exception {
		List<Duration> beyond = new ArrayList<>();
		Said leader = await(said("begun"));
		for (int i = 0; i < MEDIAN_OF; i++) {
			settle();
			leader = latest(leader);
			Duration rest = rest();
			long killed = leader.by().kill();
			remove(leader.by());
			Said next = awaitNext(killed);
			beyond.add(between(killed, next.nanos()).minus(rest));
			leader = next;
			add();
		}
		report("leader killed: next one after the lease's rest", beyond);
		assertThat(beyond).allSatisfy((each) -> assertThat(each).isLessThan(POLL.multipliedBy(2)));
		assertNeverTwo();
	}

	@Test
	void closedLeaderIsReplacedSoonAfterItsWorkEnds() throws Exception {
		List<Duration> taken = new ArrayList<>();
		Said leader = await(said("begun"));
		for (int i = 0; i < MEDIAN_OF; i++) {
			settle();
			leader = latest(leader);
			long term = leader.term();
			leader.by().say("close");
			Said ended = await((said) -> said.what().equals("ended") && said.term() == term);
			Said next = awaitNext(ended.nanos());
			taken.add(between(ended.nanos(), next.nanos()));
			await(said("stopped"));
			remove(leader.by());
			leader = next;
			add();
		}
		report("leader closed: next one after the work's end", taken);
		assertThat(median(taken)).isLessThan(Duration.ofMillis(50));
		assertNeverTwo();
	}

	@Test
	void resignedLeaderIsReplacedSoonAfterRequest() throws Exception {
		Said leader = await(said("begun"));
		for (boolean elsewhere : new boolean[] { false, true }) {
			List<Duration> taken = new ArrayList<>();
			for (int i = 0; i < MEDIAN_OF; i++) {
				settle();
				leader = latest(leader);
				long asked = System.nanoTime();
				if (elsewhere) {
					assertThat(this.outside.requestResignation(ROLE)).isTrue();
				}
				else {
					leader.by().say("resign");
				}
				leader = awaitNext(asked);
				taken.add(between(asked, leader.nanos()));
			}
			report("resignedLeaderIsReplacedSoonAfterRequest " + (elsewhere ? "by a message from elsewhere" : "by code")
					+ ": next one after it was asked for", taken);
			assertThat(median(taken)).isLessThan(Duration.ofMillis(50));
		}
		assertNeverTwo();
	}

	@Test
	void leaderIsRevokedBeforeLeaseEndsWhileRedisIsFrozen() throws Exception {
		List<Duration> early = new ArrayList<>();
		List<Duration> again = new ArrayList<>();
		await(said("begun"));
		ServerProcess server = redis.process();
		for (int i = 0; i < TIMES; i++) {
			settle();
			long frozen = System.nanoTime();
			server.freeze();
			TimeUnit.NANOSECONDS.sleep(LEASE.multipliedBy(2).toNanos());
			long thawed = System.nanoTime();
			server.thaw();
			Said revoked = await((said) -> said.what().equals("revoked") && said.nanos() > frozen);
			Said next = awaitNext(thawed);
			// The last renewal was sent before, and the lease begins then.
			early.add(between(revoked.nanos(), frozen + LEASE.toNanos()));
			again.add(between(thawed, next.nanos()));
		}
		report("Redis frozen for two leases: old one told before its lease can have ended", early);
		report("... a leader again after Redis' return", again);
		assertThat(early).allSatisfy((each) -> assertThat(each).isPositive());
		assertThat(again).allSatisfy((each) -> assertThat(each).isLessThan(POLL.multipliedBy(2)));
		assertNeverTwo();
	}

	@Test
	void pausedLeaderDoesNoWorkAfterItsLeaseExpired() throws Exception {
		int steps = 0;
		List<Duration> told = new ArrayList<>();
		Said leader = await(said("begun"));
		for (int i = 0; i < TIMES; i++) {
			settle();
			Said paused = latest(leader);
			long frozen = System.nanoTime();
			paused.by().process().freeze();
			long end = frozen + LEASE.multipliedBy(2).toNanos();
			leader = awaitNext(frozen);
			TimeUnit.NANOSECONDS.sleep(Math.max(end - System.nanoTime(), 0));
			long thawed = System.nanoTime();
			paused.by().process().thaw();
			Said revoked = await((said) -> said.what().equals("revoked") && said.term() == paused.term());
			told.add(between(thawed, revoked.nanos()));
			long term = paused.term();
			steps += (int) paused.by()
				.moments()
				.stream()
				.filter((moment) -> moment.term() == term && moment.nanos() > thawed)
				.count();
			long successor = leader.term();
			settle();
			assertThat(this.outside.find(ROLE)).map(LockState::token).contains(successor);
		}
		report("leader paused for two leases: told after waking", told);
		System.out.println("| ... steps of its work that asked after waking, and were let do | " + steps + " |");
		assertThat(steps).as("steps of work that were allowed after the wake-up").isZero();
		assertNeverTwo();
	}

	@Test
	void leaderStopsWithinRenewalPeriodAfterDeletionOrForce() throws Exception {
		List<Duration> two = new ArrayList<>();
		Said leader = await(said("begun"));
		for (int i = 0; i < MEDIAN_OF; i++) {
			settle();
			leader = latest(leader);
			boolean deleted = i % 2 == 0;
			long done = System.nanoTime();
			if (deleted) {
				redis.template().delete(RECORD);
			}
			else {
				this.outside.forceRelease(ROLE);
			}
			Said next = awaitNext(done);
			long term = leader.term();
			settle();
			settle();
			long last = leader.by()
				.moments()
				.stream()
				.filter((moment) -> moment.term() == term)
				.mapToLong(Moment::nanos)
				.max()
				.orElse(next.nanos());
			two.add(between(next.nanos(), last));
			leader = next;
		}
		report("record deleted or forced: two lead for", two);
		Duration most = LEASE.multipliedBy(11).dividedBy(30).plusMillis(200);
		assertThat(two).allSatisfy((each) -> assertThat(each).isLessThan(most));
	}

	@Test
	void leadershipCheckTakesAtMostTwoHundredNanoseconds() throws Exception {
		Said leader = await(said("begun"));
		settle();
		leader.by().say("price");
		Said price = await(said("price"));
		System.out.println("| isLeader(), isLeading(): ns a call | " + price.term() + ", " + price.nanos() + " |");
		assertThat(price.term()).isLessThanOrEqualTo(200);
		assertThat(price.nanos()).isLessThanOrEqualTo(200);
	}

	@Test
	void termsNeverOverlapUnderRandomFaults() throws Exception {
		System.out.println("repeat with: mvn -pl watchdog-lock-autoconfigure verify -Dtests=leaders"
				+ " -Dit.test=LeaderIT#termsNeverOverlapUnderRandomFaults -Dleaders.seed=" + SEED);
		Random random = new Random(SEED);
		Map<String, Integer> faults = new TreeMap<>();
		await(said("begun"));
		for (int i = 0; i < FAULTS; i++) {
			TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
			this.heard.clear();
			LeaderChild struck = (i % 2 == 0) ? leading() : this.children.get(random.nextInt(this.children.size()));
			Duration some = Duration.ofMillis(random.nextInt(2 * (int) LEASE.toMillis()));
			// Each kind occurs at least once, if there are enough faults.
			String fault = inject((i < KINDS) ? i : random.nextInt(KINDS), struck, some);
			faults.merge(fault, 1, Integer::sum);
			assertThat(this.children).as("after a %s", fault).allMatch(LeaderChild::isAlive);
			while (this.children.size() < 3) {
				add();
			}
		}
		TimeUnit.NANOSECONDS.sleep(LEASE.multipliedBy(3).toNanos());
		assertThat(this.outside.find(ROLE)).as("somebody leads").isPresent();
		int terms = assertNeverTwo();
		System.out.println("| " + FAULTS + " faults " + faults + " | " + terms + " terms, never two |");
		assertThat(faults).as("kinds of faults that were injected").hasSize(Math.min(KINDS, FAULTS));
		assertThat(terms).as("terms").isGreaterThanOrEqualTo(FAULTS / 10);
	}

	/* The child with the latest term, according to the file that it writes. */
	private LeaderChild leading() throws IOException {
		LeaderChild last = this.children.get(0);
		long term = -1;
		for (LeaderChild child : this.children) {
			long latest = child.moments().stream().mapToLong(Moment::term).max().orElse(-1);
			if (latest > term) {
				term = latest;
				last = child;
			}
		}
		return last;
	}

	private String inject(int kind, LeaderChild any, Duration some) throws Exception {
		switch (kind) {
			case 0 -> {
				any.kill();
				remove(any);
				return "kill";
			}
			case 1 -> {
				any.process().freeze();
				TimeUnit.NANOSECONDS.sleep(some.toNanos());
				any.process().thaw();
				return "pause";
			}
			case 2 -> {
				ServerProcess server = redis.process();
				server.freeze();
				TimeUnit.NANOSECONDS.sleep(some.toNanos());
				server.thaw();
				return "freeze";
			}
			case 3 -> {
				any.proxy.stall(Direction.values());
				TimeUnit.NANOSECONDS.sleep(some.toNanos());
				any.proxy.resume(Direction.values());
				any.proxy.reset();
				return "partition";
			}
			case 4 -> {
				client("KILL", "TYPE", "normal", "SKIPME", "yes");
				client("KILL", "TYPE", "pubsub");
				return "client kill";
			}
			case 5 -> {
				// An earlier fault may have cost this instance its connection.
				Awaitility.await()
					.ignoreExceptionsInstanceOf(LockStoreException.class)
					.untilAsserted(() -> this.outside.requestResignation(ROLE));
				return "resignedLeaderIsReplacedSoonAfterRequest asked for";
			}
			case 6 -> {
				long before = token();
				redis.restartWithData();
				// This connection may still have to notice the restart.
				Awaitility.await()
					.ignoreExceptions()
					.untilAsserted(() -> assertThat(token()).as("token kept over the restart")
						.isPositive()
						.isGreaterThanOrEqualTo(before));
				return "restart of Redis with its data";
			}
			case 7 -> {
				any.say("resign");
				return "resignedLeaderIsReplacedSoonAfterRequest";
			}
			default -> {
				any.say("close");
				await((said) -> said.by() == any && said.what().equals("stopped"));
				remove(any);
				return "close";
			}
		}
	}

	private static void client(String... words) {
		byte[][] arguments = Stream.of(words)
			.map((word) -> word.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		try {
			redis.template().execute((RedisCallback<Object>) (connection) -> connection.execute("CLIENT", arguments));
		}
		catch (RedisSystemException ex) {
			// The command was executed; the driver cannot read the count in its answer.
			assertThat(ex).hasRootCauseInstanceOf(UnsupportedOperationException.class);
		}
	}

	private void add() throws IOException, InterruptedException {
		LeaderChild child = new LeaderChild(redis.port(), this.folder, this.heard);
		this.children.add(child);
		await((said) -> said.by() == child && said.what().equals("standing"));
	}

	private void remove(LeaderChild child) throws IOException {
		this.moments.addAll(child.moments());
		this.children.remove(child);
		child.close();
	}

	/* Long enough for waiting instances to get their places, and for renewals. */
	private static void settle() throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(POLL.multipliedBy(2).toNanos());
	}

	/* The latest leader since then, for example after a slow start. */
	private Said latest(Said leader) {
		List<Said> begun = this.heard.stream()
			.filter(said("begun"))
			.filter((said) -> said.term() > leader.term())
			.toList();
		return begun.isEmpty() ? leader : begun.get(begun.size() - 1);
	}

	private Said awaitNext(long moment) throws InterruptedException {
		return await((said) -> said.what().equals("begun") && said.nanos() > moment);
	}

	/* The token in the record, whoever leads; zero if there is no record. */
	private static long token() {
		String record = redis.template().opsForValue().get(RECORD);
		return (record != null) ? Long.parseLong(record.substring(36, record.indexOf(' ', 36))) : 0;
	}

	private Duration rest() {
		return this.outside.find(ROLE).map(LockState::remaining).orElseThrow();
	}

	private static Predicate<Said> said(String what) {
		return (said) -> said.what().equals(what);
	}

	/* Other lines that arrive meanwhile are kept in their order. */
	private Said await(Predicate<Said> wanted) throws InterruptedException {
		List<Said> others = new ArrayList<>();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		try {
			while (true) {
				Said said = this.heard.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
				if (said == null) {
					throw new AssertionError("nobody said it; heard was " + others);
				}
				if (wanted.test(said)) {
					return said;
				}
				if (said.what().equals("begun") || said.what().equals("stopped")) {
					others.add(said);
				}
			}
		}
		finally {
			this.heard.addAll(others);
		}
	}

	/*
	 * Return the number of terms, and assert that all moments of a term precede those of
	 * the next.
	 */
	private int assertNeverTwo() throws IOException {
		List<Moment> all = new ArrayList<>(this.moments);
		for (LeaderChild child : this.children) {
			all.addAll(child.moments());
		}
		Map<Long, long[]> terms = new TreeMap<>();
		all.forEach((moment) -> {
			long[] span = terms.computeIfAbsent(moment.term(), (term) -> new long[] { Long.MAX_VALUE, Long.MIN_VALUE });
			span[0] = Math.min(span[0], moment.nanos());
			span[1] = Math.max(span[1], moment.nanos());
		});
		long end = Long.MIN_VALUE;
		for (Map.Entry<Long, long[]> term : terms.entrySet()) {
			assertThat(term.getValue()[0]).as("term %s begins after those before it", term.getKey()).isGreaterThan(end);
			end = term.getValue()[1];
		}
		return terms.size();
	}

	private static Duration between(long from, long to) {
		return Duration.ofNanos(to - from);
	}

	private static Duration median(List<Duration> all) {
		List<Duration> sorted = new ArrayList<>(all);
		Collections.sort(sorted);
		return sorted.get(sorted.size() / 2);
	}

	private static void report(String what, List<Duration> all) {
		System.out.printf("| %s (%d) | median %.1f ms, from %.1f ms to %.1f ms |%n", what, all.size(),
				millis(median(all)), millis(Collections.min(all)), millis(Collections.max(all)));
	}

	private static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

}
