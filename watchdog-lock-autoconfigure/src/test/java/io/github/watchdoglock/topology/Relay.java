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

package io.github.watchdoglock.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * Takes connections for a server, and passes on any bytes that they carry, replication
 * too: the end of TLS, a load balancer that closes connections on which nothing was said
 * for a while, or a way that can be cut. Thread-safe.
 */
public final class Relay implements AutoCloseable {

	private final ServerSocket socket;

	private final int target;

	private final Duration idle;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicInteger ended = new AtomicInteger();

	/* Guarded by this. */
	private boolean cut;

	private Relay(ServerSocket socket, int target, Duration idle) {
		this.socket = socket;
		this.target = target;
		this.idle = idle;
		thread(this::accept);
	}

	/**
	 * A way to a server.
	 * @param target where it listens, on the loopback address
	 * @return a relay
	 */
	public static Relay to(int target) {
		return closingAfter(Duration.ZERO, target);
	}

	/**
	 * The end of TLS in front of a server. Clients have to show a certificate.
	 * @param target where it listens, on the loopback address
	 * @param context keys of the server, and whom it trusts
	 * @return a relay
	 */
	public static Relay tls(int target, SSLContext context) {
		SSLServerSocket socket = (SSLServerSocket) listen(context.getServerSocketFactory());
		socket.setNeedClientAuth(true);
		return new Relay(socket, target, Duration.ZERO);
	}

	/**
	 * A load balancer in front of a server.
	 * @param idle for how long nothing may be said; zero for ever
	 * @param target where it listens, on the loopback address
	 * @return a relay
	 */
	public static Relay closingAfter(Duration idle, int target) {
		return new Relay(listen(ServerSocketFactory.getDefault()), target, idle);
	}

	private static ServerSocket listen(ServerSocketFactory sockets) {
		try {
			return sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void thread(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Where clients connect to.
	 * @return the port on the loopback address
	 */
	public int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * How many connections were closed since they were idle.
	 * @return the count
	 */
	public int ended() {
		return this.ended.get();
	}

	/**
	 * Let nothing through from now on, and nobody in. Nothing is closed.
	 */
	public synchronized void cut() {
		this.cut = true;
	}

	/**
	 * Let everything through again, and what was kept.
	 */
	public synchronized void mend() {
		this.cut = false;
		notifyAll();
	}

	private synchronized void awaitWhole() {
		while (this.cut) {
			try {
				wait();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				Socket client = this.socket.accept();
				this.sockets.add(client);
				awaitWhole();
				connect(client);
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private void connect(Socket client) {
		try {
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(server);
			AtomicLong last = new AtomicLong(System.nanoTime());
			thread(() -> pump(client, server, last));
			thread(() -> pump(server, client, last));
		}
		catch (IOException ex) {
			// The server is gone.
			end(client);
		}
	}

	private void pump(Socket from, Socket to, AtomicLong last) {
		byte[] buffer = new byte[8_192];
		try {
			from.setTcpNoDelay(true);
			from.setSoTimeout((int) this.idle.toMillis());
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int length = read(in, buffer, last); length >= 0; length = read(in, buffer, last)) {
				awaitWhole();
				out.write(buffer, 0, length);
				out.flush();
			}
			awaitWhole();
		}
		catch (SocketTimeoutException ex) {
			this.ended.incrementAndGet();
		}
		catch (IOException ex) {
			// The other end is gone, or does not speak TLS.
		}
		end(from);
		end(to);
	}

	/* What comes from the other side keeps a connection too. */
	private int read(InputStream in, byte[] buffer, AtomicLong last) throws IOException {
		while (true) {
			try {
				int length = in.read(buffer);
				last.set(System.nanoTime());
				return length;
			}
			catch (SocketTimeoutException ex) {
				if (System.nanoTime() - last.get() >= this.idle.toNanos()) {
					throw ex;
				}
			}
		}
	}

	private void end(Socket socket) {
		this.sockets.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			// Gone already.
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Set.copyOf(this.sockets).forEach(this::end);
		mend();
	}

}
