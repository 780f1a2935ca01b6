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

package io.github.watchdoglock.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

import io.github.watchdoglock.fault.Plan.Fate;

import org.springframework.util.function.ThrowingSupplier;

/**
 * Stands between clients and a Redis, and does to their connections what networks do.
 * Faults can be combined, and each counts how often it took effect. Thread-safe.
 * <p>
 * Not promised: that what is already under way when a fault begins is still hit by it.
 */
public final class FaultProxy implements AutoCloseable {

	/* How often connections are looked at that may be idle. */
	private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(20);

	private final ServerSocket socket;

	/* Whether what is carried may be anything. */
	private final boolean bytes;

	private volatile int target;

	private final Map<Direction, Gate> gates = Map.of(Direction.TO_SERVER, new Gate(), Direction.TO_CLIENT, new Gate());

	private final Plan plan = new Plan();

	private final Map<Fault, Long> counts = new ConcurrentHashMap<>();

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private volatile boolean refusing;

	private volatile boolean closed;

	private FaultProxy(ServerSocketFactory sockets, int target, boolean bytes) {
		this.socket = ThrowingSupplier.of(() -> sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress()))
			.get();
		if (this.socket instanceof SSLServerSocket tls) {
			tls.setNeedClientAuth(true);
		}
		this.target = target;
		this.bytes = bytes;
		thread(this::accept).start();
	}

	/**
	 * Listen on a free port.
	 * @param port where the server listens, on the loopback address
	 * @return a proxy that does nothing yet
	 */
	public static FaultProxy to(int port) {
		return new FaultProxy(ServerSocketFactory.getDefault(), port, false);
	}

	/**
	 * Listen on a free port, also for other servers that replicate. What is planned for
	 * single commands has no effect.
	 * @param port where the server listens, on the loopback address
	 * @return a proxy that does nothing yet
	 */
	public static FaultProxy ofReplication(int port) {
		return new FaultProxy(ServerSocketFactory.getDefault(), port, true);
	}

	/**
	 * End TLS in front of a server. Clients have to show a certificate.
	 * @param port where the server listens, on the loopback address
	 * @param context keys of the server, and whom it trusts
	 * @return a proxy that does nothing else yet
	 */
	public static FaultProxy ofTls(int port, SSLContext context) {
		return new FaultProxy(context.getServerSocketFactory(), port, false);
	}

	static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "fault-proxy");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Where clients connect to.
	 * @return the port on the loopback address
	 */
	public int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * Lead new connections to another server; those that there are stay.
	 * @param port where it listens, on the loopback address
	 */
	public void lead(int port) {
		this.target = port;
	}

	/**
	 * How many connections were let through.
	 * @return the count since the beginning
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * How many connections there are.
	 * @param traffic what they carry
	 * @return those that neither side has closed, without those swallowed
	 */
	public int live(Traffic traffic) {
		return (int) this.links.stream().filter((link) -> link.isLive() && link.carries() == traffic).count();
	}

	/**
	 * How often a fault took effect.
	 * @param fault the fault
	 * @return the count since the beginning
	 */
	public long effects(Fault fault) {
		return this.counts.getOrDefault(fault, 0L);
	}

	/**
	 * Make everything take longer that comes from now on, in order.
	 * @param direction one way
	 * @param delay how much longer; zero ends it
	 */
	public void delay(Direction direction, Duration delay) {
		this.gates.get(direction).delay(delay);
	}

	/**
	 * Keep what comes, on all connections, new ones too. Nothing is closed, and the ends
	 * of connections are kept as well.
	 * @param directions one way or both
	 */
	public void stall(Direction... directions) {
		Stream.of(directions).map(this.gates::get).forEach(Gate::close);
	}

	/**
	 * Bring what was kept, to the server even where the client has gone since.
	 * @param directions one way or both
	 */
	public void resume(Direction... directions) {
		Stream.of(directions).map(this.gates::get).forEach(Gate::open);
	}

	/**
	 * Let the connections that there are carry nothing any more, for ever. Nothing is
	 * closed, and new ones are healthy.
	 * @param traffic those that carry this
	 * @return how many
	 */
	public int swallow(Traffic... traffic) {
		List<Link> chosen = this.links.stream()
			.filter((link) -> link.isLive() && List.of(traffic).contains(link.carries()))
			.toList();
		chosen.forEach(Link::swallow);
		return chosen.size();
	}

	/**
	 * Lose the answer to one command, which the server carries out, and whatever comes
	 * after it on its connection.
	 * @param commands which command, by its words; the next one of these
	 * @param afterwards what becomes of the connection
	 */
	public void dropNextAnswer(Predicate<List<String>> commands, Afterwards afterwards) {
		this.plan.add(commands, new Fate(Fault.DROP_ANSWER, afterwards, Duration.ZERO));
	}

	/**
	 * Make the answer to one command late, and so what comes after it on its connection.
	 * @param commands which command, by its words; the next one of these
	 * @param delay how much later
	 */
	public void delayNextAnswer(Predicate<List<String>> commands, Duration delay) {
		this.plan.add(commands, new Fate(Fault.DELAY_ANSWER, null, delay));
	}

	/**
	 * Send one command twice. The client gets the first answer.
	 * @param commands which command, by its words; the next one of these
	 */
	public void sendNextTwice(Predicate<List<String>> commands) {
		this.plan.add(commands, new Fate(Fault.SEND_TWICE, null, Duration.ZERO));
	}

	/**
	 * Send other commands in place of some.
	 * @param replacement gives the words that are sent for those of a command
	 */
	public void replace(UnaryOperator<List<String>> replacement) {
		this.plan.replace(replacement);
	}

	/**
	 * Whether every command that something was planned for has come.
	 * @return false while one is awaited
	 */
	public boolean isPlanDone() {
		return this.plan.isEmpty();
	}

	/**
	 * Forget what was planned for commands that have not come.
	 */
	public void clearPlan() {
		this.plan.clear();
	}

	/**
	 * Close all connections in order.
	 */
	public void cut() {
		end(Fault.CUT, (link) -> true);
	}

	/**
	 * Reset all connections.
	 */
	public void reset() {
		end(Fault.RESET, (link) -> true);
	}

	/**
	 * Turn new connections away, or let them through again.
	 * @param refuse whether they are reset at once
	 */
	public void refuse(boolean refuse) {
		this.refusing = refuse;
	}

	/**
	 * Close connections that carry nothing for a while, as load balancers do.
	 * @param idle for how long
	 */
	public void cutIdle(Duration idle) {
		thread(() -> {
			while (!this.closed) {
				end(Fault.CUT, (link) -> link.isIdle(idle));
				LockSupport.parkNanos(LOOK);
			}
		}).start();
	}

	private void end(Fault fault, Predicate<Link> which) {
		for (Link link : this.links.stream().filter(which).toList()) {
			if (this.links.remove(link)) {
				count(fault);
				link.end(fault == Fault.RESET);
			}
		}
	}

	private void accept() {
		while (!this.closed) {
			try {
				connect(this.socket.accept());
			}
			catch (IOException ex) {
				// Closed, or the server is down: the next one may be served.
			}
		}
	}

	private void connect(Socket client) throws IOException {
		if (this.refusing) {
			count(Fault.REFUSE);
			reset(client);
			return;
		}
		try {
			Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), this.target), this.gates,
					new Exchanges(this.plan, this.bytes), this::count, this.links::remove);
			this.links.add(link);
			this.accepted.incrementAndGet();
			link.start();
		}
		catch (IOException ex) {
			reset(client);
		}
	}

	private void count(Fault fault) {
		this.counts.merge(fault, 1L, Long::sum);
	}

	private static void reset(Socket client) throws IOException {
		client.setSoLinger(true, 0);
		client.close();
	}

	@Override
	public void close() {
		this.closed = true;
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.links.forEach((link) -> link.end(false));
	}

}
