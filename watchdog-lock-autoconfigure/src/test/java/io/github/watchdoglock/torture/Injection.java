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

package io.github.watchdoglock.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.watchdoglock.fault.Afterwards;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.Traffic;
import io.github.watchdoglock.redis.RedisAdmin;

/**
 * Injects faults one after the other, and finds out whether they had an effect.
 */
final class Injection {

	private static final Pattern EVAL_CALLS = Pattern.compile("cmdstat_eval=calls=(\\d+)");

	private static final Set<FaultKind> STRIKES_HOLDERS = Set.of(FaultKind.FREEZE_INSTANCE, FaultKind.KILL_INSTANCE,
			FaultKind.JUMP_CLOCK);

	private static final Set<FaultKind> STRIKES_ALL = Set.of(FaultKind.FLUSH_SCRIPTS, FaultKind.FORGET_FREE,
			FaultKind.PAUSE_CLIENTS);

	private static final String FORGET_FREE = """
			local forgotten = {}
			for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ':{*}')) do
			  local value, ttl = redis.call('GET', key), redis.call('PTTL', key)
			  if ttl >= 0 and ttl <= tonumber(string.sub(value, 6, 18)) and not string.find(value, '\\n') then
			    redis.call('DEL', key)
			    forgotten[#forgotten + 1] = key
			  end
			end
			return table.concat(forgotten, ' ')""";

	/* Several times as long as an instance waits until it holds one of the long keys. */
	private static final long MAX_WAITING = TimeUnit.SECONDS.toNanos(20);

	private static final long JUST_BEGUN = TimeUnit.MILLISECONDS.toNanos(300);

	private final List<InstanceProcess> instances;

	private final RedisAdmin admin;

	private final String prefix;

	private final History history;

	private final Effects effects = new Effects();

	private final List<Window> windows = new ArrayList<>();

	/* The prefix is that of the keys of all instances. */
	Injection(List<InstanceProcess> instances, RedisAdmin admin, String prefix, History history) {
		this.instances = instances;
		this.prefix = prefix;
		this.admin = admin;
		this.history = history;
	}

	Effects effects() {
		return this.effects;
	}

	/* The times of trouble, and the affected instances. */
	List<Window> windows() {
		return this.windows;
	}

	void inject(DrawnFault fault) throws IOException, InterruptedException {
		InstanceProcess instance = this.instances.get(fault.instance());
		FaultProxy proxy = instance.proxy;
		Duration length = fault.length();
		awaitHolding(fault, instance);
		long from = System.nanoTime();
		BooleanSupplier felt = switch (fault.kind()) {
			case DELAY -> delay(proxy, fault);
			case STALL_COMMANDS -> stall(proxy, Direction.TO_SERVER, length);
			case STALL_ANSWERS -> stall(proxy, Direction.TO_CLIENT, length);
			case DROP_ANSWER -> dropAnswers(proxy, fault);
			case SEND_TWICE -> sendTwice(proxy, length);
			case CUT, RESET -> disconnect(proxy, fault);
			case SWALLOW -> swallow(proxy, length);
			case FREEZE_INSTANCE -> freeze(instance, length, from);
			case KILL_INSTANCE -> kill(instance, length);
			case JUMP_CLOCK -> jump(instance, fault, from);
			case FLUSH_SCRIPTS -> flushScripts(length);
			case FORGET_FREE -> forgetFree();
			case PAUSE_CLIENTS -> pauseClients(length);
		};
		this.windows.add(new Window(STRIKES_ALL.contains(fault.kind()) ? Window.ALL : fault.instance(), from,
				System.nanoTime()));
		this.effects.add(fault.kind(), felt);
	}

	/* Wait until the instance holds a lock if the fault is meant for holders. */
	private void awaitHolding(DrawnFault fault, InstanceProcess instance) throws IOException, InterruptedException {
		if (!STRIKES_HOLDERS.contains(fault.kind())) {
			return;
		}
		long end = System.nanoTime() + MAX_WAITING;
		while (System.nanoTime() - end < 0) {
			if (isHolding(instance, JUST_BEGUN)) {
				// A random time, so that the fault may occur anywhere between two
				// renewals.
				sleep(Duration.ofMillis(fault.detail() % 300));
				if (isHolding(instance, 2 * JUST_BEGUN)) {
					return;
				}
			}
			sleep(Duration.ofMillis(5));
		}
	}

	private boolean isHolding(InstanceProcess instance, long most) throws IOException {
		instance.readInto(this.history);
		long now = System.nanoTime();
		return this.history.holds()
			.stream()
			.anyMatch((hold) -> hold.instance == instance.number && hold.isLong() && hold.begin > now - most
					&& hold.covers(now));
	}

	private static BooleanSupplier delay(FaultProxy proxy, DrawnFault fault) throws InterruptedException {
		Direction direction = fault.isEven() ? Direction.TO_CLIENT : Direction.TO_SERVER;
		return felt(proxy, Fault.DELAY, () -> {
			proxy.delay(direction, Duration.ofMillis(5 + fault.detail() % 240));
			sleep(fault.length());
			proxy.delay(direction, Duration.ZERO);
		});
	}

	private static BooleanSupplier stall(FaultProxy proxy, Direction direction, Duration length)
			throws InterruptedException {
		return felt(proxy, Fault.STALL, () -> {
			proxy.stall(direction);
			sleep(length);
			proxy.resume(direction);
		});
	}

	private static BooleanSupplier dropAnswers(FaultProxy proxy, DrawnFault fault) throws InterruptedException {
		Afterwards afterwards = fault.isEven() ? Afterwards.RESET : Afterwards.SILENCE;
		return felt(proxy, Fault.DROP_ANSWER, () -> planAgainAndAgain(proxy, fault.length(), Duration.ofMillis(100),
				() -> proxy.dropNextAnswer(Injection::isScript, afterwards)));
	}

	private static BooleanSupplier sendTwice(FaultProxy proxy, Duration length) throws InterruptedException {
		return felt(proxy, Fault.SEND_TWICE, () -> planAgainAndAgain(proxy, length, Duration.ofMillis(5),
				() -> proxy.sendNextTwice(Injection::isScript)));
	}

	private static void planAgainAndAgain(FaultProxy proxy, Duration length, Duration pause, Runnable plan)
			throws InterruptedException {
		long end = System.nanoTime() + length.toNanos();
		while (System.nanoTime() - end < 0) {
			plan.run();
			sleep(pause);
		}
		proxy.clearPlan();
	}

	private static BooleanSupplier disconnect(FaultProxy proxy, DrawnFault fault) throws InterruptedException {
		boolean cut = fault.kind() == FaultKind.CUT;
		return felt(proxy, cut ? Fault.CUT : Fault.RESET, () -> {
			proxy.refuse(fault.isEven());
			if (cut) {
				proxy.cut();
			}
			else {
				proxy.reset();
			}
			sleep(fault.isEven() ? fault.length() : Duration.ZERO);
			proxy.refuse(false);
		});
	}

	private static BooleanSupplier swallow(FaultProxy proxy, Duration length) throws InterruptedException {
		return felt(proxy, Fault.SWALLOW, () -> {
			proxy.swallow(Traffic.values());
			sleep(length);
		});
	}

	private static BooleanSupplier felt(FaultProxy proxy, Fault fault, Work injecting) throws InterruptedException {
		long before = proxy.effects(fault);
		injecting.run();
		return () -> proxy.effects(fault) > before;
	}

	/* Has an effect if the instance held a lock: the holder does not notice the time. */
	private BooleanSupplier freeze(InstanceProcess instance, Duration length, long from) throws InterruptedException {
		instance.freeze();
		try {
			sleep(length);
		}
		finally {
			instance.thaw();
		}
		return heldAt(instance.number, from);
	}

	private BooleanSupplier kill(InstanceProcess instance, Duration length) throws IOException, InterruptedException {
		long at = System.nanoTime();
		instance.kill();
		instance.readInto(this.history);
		sleep(length);
		instance.begin();
		instance.checkClock();
		instance.ask("start");
		return heldAt(instance.number, at);
	}

	private BooleanSupplier jump(InstanceProcess instance, DrawnFault fault, long from) throws IOException {
		long millis = fault.length().toMillis();
		instance.ask("jump " + (fault.isEven() ? millis : -millis));
		return heldAt(instance.number, from);
	}

	private BooleanSupplier heldAt(int instance, long time) {
		return () -> this.history.holds().stream().anyMatch((hold) -> hold.instance == instance && hold.covers(time));
	}

	private BooleanSupplier flushScripts(Duration length) throws InterruptedException {
		long before = scriptsByText();
		this.admin.command("SCRIPT", "FLUSH");
		sleep(length);
		long after = scriptsByText();
		return () -> after > before;
	}

	/* In one step, so that no instance acquires any of them meanwhile. */
	private BooleanSupplier forgetFree() {
		boolean felt = !this.admin.text("EVAL", FORGET_FREE, "0", this.prefix).isEmpty();
		return () -> felt;
	}

	/* The number of scripts that the server did not know by their digests. */
	private long scriptsByText() {
		Matcher calls = EVAL_CALLS.matcher(this.admin.info("commandstats"));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	private BooleanSupplier pauseClients(Duration length) throws InterruptedException {
		this.admin.command("CLIENT", "PAUSE", String.valueOf(length.toMillis()));
		long start = System.nanoTime();
		this.admin.command("ECHO", "over");
		long waited = System.nanoTime() - start;
		return () -> waited > length.toNanos() / 2;
	}

	private static boolean isScript(List<String> words) {
		return words.get(0).startsWith("EVAL");
	}

	private static void sleep(Duration time) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(time.toNanos());
	}

	private interface Work {

		void run() throws InterruptedException;

	}

}
