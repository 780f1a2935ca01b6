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

package io.github.watchdoglock.fence;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a client and a server that counts the round trips: how often the client
 * sends data and waits for the answer. Thread-safe.
 */
final class RoundTripProxy implements AutoCloseable {

	private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final int target;

	private final AtomicInteger requests = new AtomicInteger();

	RoundTripProxy(int target) throws IOException {
		this.target = target;
		start(this::accept);
	}

	int port() {
		return this.socket.getLocalPort();
	}

	/* The first bytes after an answer begin a request. */
	int requests() {
		return this.requests.get();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.socket.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			AtomicBoolean answered = new AtomicBoolean(true);
			start(() -> copy(client, server, () -> {
				if (answered.getAndSet(false)) {
					this.requests.incrementAndGet();
				}
			}));
			start(() -> copy(server, client, () -> answered.set(true)));
		}
	}

	private static void copy(Socket from, Socket to, Runnable before) throws IOException {
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			byte[] bytes = new byte[8192];
			for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
				before.run();
				out.write(bytes, 0, count);
			}
		}
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// One side has closed its connection.
			}
		}, "round-trip-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * Work of a thread that ends with its connection.
	 */
	private interface Task {

		void run() throws IOException;

	}

}
