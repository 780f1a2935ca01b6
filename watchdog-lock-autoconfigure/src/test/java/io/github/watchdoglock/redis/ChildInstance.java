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

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.ServerProcess;
import io.github.watchdoglock.support.LockNews;

/**
 * An instance in a JVM of its own that acquires a lock, reports it, and holds it until it
 * is killed, or keeps it idle.
 */
public final class ChildInstance implements AutoCloseable {

	private static final Pattern WORDS = Pattern.compile("asking|held|closed|lost");

	private final Process process;

	private final BufferedReader output;

	/**
	 * Start a JVM that acquires a lock.
	 * @param port where its Redis listens
	 * @param name the lock
	 * @param lease the length of its lease
	 * @throws IOException if the JVM can't be started
	 */
	public ChildInstance(int port, String name, Duration lease) throws IOException {
		this(port, name, lease, false);
	}

	ChildInstance(int port, String name, Duration lease, boolean idle) throws IOException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		this.process = new ProcessBuilder(java, "-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("java.class.path"), ChildInstance.class.getName(), String.valueOf(port), name,
				String.valueOf(lease.toMillis()), String.valueOf(idle))
			.redirectError(new File("target/child-instance.log"))
			.start();
		this.output = this.process.inputReader(StandardCharsets.UTF_8);
	}

	/**
	 * Read its next line: "asking", then "held" and its token, then "lost", the reason
	 * and the number of renewals it had sent.
	 * @return the line
	 * @throws IOException if it can't be read
	 */
	public String says() throws IOException {
		String line = this.output.readLine();
		while (line != null && !WORDS.matcher(line).lookingAt()) {
			line = this.output.readLine();
		}
		return String.valueOf(line);
	}

	/**
	 * Return its process, which can receive signals.
	 * @return its process
	 */
	public ServerProcess process() {
		return new ServerProcess(this.process.pid());
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * Run the child.
	 * @param args port, name, lease in milliseconds, whether it keeps the lock idle
	 * @throws Exception if the lock cannot be acquired
	 */
	public static void main(String[] args) throws Exception {
		Lease lease = Lease.renewed(Duration.ofMillis(Long.parseLong(args[2])));
		LockRequest request = LockRequest.of(args[1]).withLease(lease).withWaitTime(Duration.ofMinutes(1));
		LockNews news = new LockNews();
		boolean idle = Boolean.parseBoolean(args[3]);
		int port = Integer.parseInt(args[0]);
		try (RedisInstance instance = idle ? RedisInstance.lingering(port, true) : new RedisInstance(port, news)) {
			instance.connected();
			System.out.println("asking");
			try (LockHandle handle = instance.engine().acquire(request)) {
				var unused = handle.whenLost()
					.thenAccept((loss) -> System.out.println("lost " + loss.reason() + " " + news.count("renewed")));
				System.out.println("held " + handle.fencingToken());
				if (!idle) {
					awaitTheEnd();
				}
			}
			System.out.println("closed");
			awaitTheEnd();
		}
	}

	/*
	 * Wait for the end of standard input, which is also the end of the JVM that started
	 * this one.
	 */
	private static void awaitTheEnd() throws IOException {
		var unused = System.in.read();
	}

}
