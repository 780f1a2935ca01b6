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
 * A proxy between clients and a Redis that injects the faults of a network into their
 * connections. Faults can be combined, and each counts how often it took effect.
 * Thread-safe.
 * <p>
 * Not promised: that a fault affects data that was already under way when it began.
 */
public final class FaultProxy implements AutoCloseable {

	/* The interval between checks for idle connections. */
	private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(20);

	private final ServerSocket socket;

	/* Whether connections may carry arbitrary bytes. */
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
	 * @return a proxy without faults
	 */
	public static FaultProxy to(int port) {
		return new FaultProxy(ServerSocketFactory.getDefault(), port, false);
	}

	/**
	 * Listen on a free port, also for servers that replicate. Plans for single commands
	 * have no effect.
	 * @param port where the server listens, on the loopback address
	 * @return a proxy without faults
	 */
	public static FaultProxy ofReplication(int port) {
		return new FaultProxy(ServerSocketFactory.getDefault(), port, true);
	}

	/**
	 * Terminate TLS in front of a server. Clients have to present a certificate.
	 * @param port where the server listens, on the loopback address
	 * @param context the keys of the server and its trusted certificates
	 * @return a proxy without other faults
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
	 * Return where clients connect to.
	 * @return the port on the loopback address
	 */
	public int port() {
		return this.socket.getLocalPort();
	}

	/**
	 * Route new connections to another server; existing ones stay.
	 * @param port where it listens, on the loopback address
	 */
	public void lead(int port) {
		this.target = port;
	}

	/**
	 * Return how many connections were accepted.
	 * @return the count since the beginning
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Return how many connections are open.
	 * @param traffic the traffic that they carry
	 * @return those that neither side has closed, without swallowed ones
	 */
	public int live(Traffic traffic) {
		return (int) this.links.stream().filter((link) -> link.isLive() && link.carries() == traffic).count();
	}

	/**
	 * Return how often a fault took effect.
	 * @param fault the fault
	 * @return the count since the beginning
	 */
	public long effects(Fault fault) {
		return this.counts.getOrDefault(fault, 0L);
	}

	/**
	 * Delay all later traffic in one direction, in order.
	 * @param direction the direction
	 * @param delay the additional time; zero ends the delay
	 */
	public void delay(Direction direction, Duration delay) {
		this.gates.get(direction).delay(delay);
	}

	/**
	 * Hold back all traffic, on existing and new connections. Nothing is closed, and the
	 * ends of connections are held back as well.
	 * @param directions one direction or both
	 */
	public void stall(Direction... directions) {
		Stream.of(directions).map(this.gates::get).forEach(Gate::close);
	}

	/**
	 * Deliver the traffic that was held back, to the server even if the client has gone
	 * meanwhile.
	 * @param directions one direction or both
	 */
	public void resume(Direction... directions) {
		Stream.of(directions).map(this.gates::get).forEach(Gate::open);
	}

	/**
	 * Swallow all traffic of existing connections, permanently. Nothing is closed, and
	 * new connections are healthy.
	 * @param traffic the connections that carry this traffic
	 * @return the number of connections
	 */
	public int swallow(Traffic... traffic) {
		List<Link> chosen = this.links.stream()
			.filter((link) -> link.isLive() && List.of(traffic).contains(link.carries()))
			.toList();
		chosen.forEach(Link::swallow);
		return chosen.size();
	}

	/**
	 * Lose the answer to one command, which the server carries out, and everything that
	 * follows on its connection.
	 * @param commands matches the words of the command; the next match is used
	 * @param afterwards the state of the connection afterwards
	 */
	public void dropNextAnswer(Predicate<List<String>> commands, Afterwards afterwards) {
		this.plan.add(commands, new Fate(Fault.DROP_ANSWER, afterwards, Duration.ZERO));
	}

	/**
	 * Delay the answer to one command, and everything that follows on its connection.
	 * @param commands matches the words of the command; the next match is used
	 * @param delay the additional time
	 */
	public void delayNextAnswer(Predicate<List<String>> commands, Duration delay) {
		this.plan.add(commands, new Fate(Fault.DELAY_ANSWER, null, delay));
	}

	/**
	 * Send one command twice. The client gets the first answer.
	 * @param commands matches the words of the command; the next match is used
	 */
	public void sendNextTwice(Predicate<List<String>> commands) {
		this.plan.add(commands, new Fate(Fault.SEND_TWICE, null, Duration.ZERO));
	}

	/**
	 * Replace some commands with others.
	 * @param replacement maps the words of a command to those that are sent
	 */
	public void replace(UnaryOperator<List<String>> replacement) {
		this.plan.replace(replacement);
	}

	/**
	 * Return whether all commands with a plan have arrived.
	 * @return false while one is awaited
	 */
	public boolean isPlanDone() {
		return this.plan.isEmpty();
	}

	/**
	 * Remove the plans for commands that have not arrived.
	 */
	public void clearPlan() {
		this.plan.clear();
	}

	/**
	 * Close all connections in an orderly way.
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
	 * Reject new connections, or accept them again.
	 * @param refuse whether they are reset at once
	 */
	public void refuse(boolean refuse) {
		this.refusing = refuse;
	}

	/**
	 * Close idle connections, as load balancers do.
	 * @param idle the time without traffic
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
				// The proxy is closed, or the server is down; the next connection may
				// succeed.
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
