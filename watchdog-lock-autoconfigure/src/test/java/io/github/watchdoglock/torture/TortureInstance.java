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

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import org.slf4j.LoggerFactory;

/**
 * An instance in a JVM of its own that receives its commands line by line. It ends when
 * its input ends.
 */
public final class TortureInstance {

	private static final int CYCLES = 100;

	private TortureInstance() {
	}

	/**
	 * Run the instance.
	 * @param args port, file, rate of its ticker, variant, workload, seed, key prefix,
	 * minutes for which records outlive their leases
	 * @throws Exception if it can't be started
	 */
	public static void main(String[] args) throws Exception {
		PrintStream replies = System.out;
		System.setOut(System.err);
		((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.ERROR);
		Workload workload = Workload.of(Variant.valueOf(args[4]));
		Instance instance = new Instance(Integer.parseInt(args[0]), Path.of(args[1]), Double.parseDouble(args[2]),
				Variant.valueOf(args[3]), args[6], Duration.ofMinutes(Long.parseLong(args[7])));
		Threads threads = new Threads(instance, workload, Long.parseLong(args[5]));
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = commands.readLine(); line != null; line = commands.readLine()) {
			String[] words = line.split(" ", -1);
			switch (words[0]) {
				case "clock" -> replies.println(System.nanoTime());
				case "start" -> {
					warmUp(instance.engine);
					threads.start();
					replies.println("started");
				}
				case "jump" -> {
					instance.wallClock.jump(Duration.ofMillis(Long.parseLong(words[1])));
					replies.println("jumped");
				}
				default -> {
					threads.stop();
					replies.println("stopped");
				}
			}
		}
		Runtime.getRuntime().halt(0);
	}

	/* A new JVM may need longer to connect than the timeout of a command. */
	private static void warmUp(LockEngine engine) throws InterruptedException {
		LockRequest request = LockRequest.of("warm", String.valueOf(ProcessHandle.current().pid()));
		long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
		int done = 0;
		while (done < CYCLES && System.nanoTime() - end < 0) {
			try (LockHandle handle = engine.acquire(request)) {
				done += handle.isHeld() ? 1 : 0;
			}
			catch (LockStoreException ex) {
				Threads.backOff();
			}
		}
	}

}
