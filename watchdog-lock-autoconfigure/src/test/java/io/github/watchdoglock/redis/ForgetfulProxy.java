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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and Redis, and may forget connections as a NAT does: they look
 * open and carry nothing any more.
 */
final class ForgetfulProxy implements AutoCloseable {

	private final ServerSocket server;

	private final int target;

	private final List<Link> links = new CopyOnWriteArrayList<>();

	ForgetfulProxy(int target) {
		this.target = target;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	int connections() {
		return this.links.size();
	}

	void forget() {
		this.links.forEach((link) -> link.forgotten = true);
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), this.target));
				this.links.add(link);
				start(() -> link.copy(link.client, link.redis));
				start(() -> link.copy(link.redis, link.client));
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		List<AutoCloseable> open = new ArrayList<>(List.of(this.server));
		this.links.forEach((link) -> open.addAll(List.of(link.client, link.redis)));
		for (AutoCloseable closeable : open) {
			try {
				closeable.close();
			}
			catch (Exception ex) {
				// Closed already.
			}
		}
	}

	private static final class Link {

		private final Socket client;

		private final Socket redis;

		private volatile boolean forgotten;

		Link(Socket client, Socket redis) {
			this.client = client;
			this.redis = redis;
		}

		void copy(Socket from, Socket to) {
			byte[] buffer = new byte[8_192];
			try {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
					if (!this.forgotten) {
						out.write(buffer, 0, length);
					}
				}
				if (!this.forgotten) {
					to.close();
				}
			}
			catch (IOException ex) {
				// Closed by the other direction.
			}
		}

	}

}
