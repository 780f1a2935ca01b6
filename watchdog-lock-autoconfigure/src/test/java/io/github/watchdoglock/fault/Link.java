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
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.watchdoglock.fault.Plan.Fate;

/**
 * A client's connection, and the corresponding connection to the server.
 */
final class Link {

	private final Socket client;

	private final Socket server;

	private final Exchanges exchanges;

	private final Consumer<Fault> counts;

	private final Consumer<Link> closed;

	private final Set<Direction> swallowed = ConcurrentHashMap.newKeySet();

	private final AtomicInteger open = new AtomicInteger(2);

	private final Map<Direction, Pump> pumps;

	private volatile long last = System.nanoTime();

	private volatile boolean over;

	Link(Socket client, Socket server, Map<Direction, Gate> gates, Exchanges exchanges, Consumer<Fault> counts,
			Consumer<Link> closed) throws SocketException {
		this.client = client;
		this.server = server;
		this.exchanges = exchanges;
		this.counts = counts;
		this.closed = closed;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
		this.pumps = Map.of(Direction.TO_SERVER,
				new Pump(this, Direction.TO_SERVER, gates.get(Direction.TO_SERVER), client, server),
				Direction.TO_CLIENT,
				new Pump(this, Direction.TO_CLIENT, gates.get(Direction.TO_CLIENT), server, client));
	}

	void start() {
		this.pumps.values().forEach(Pump::start);
	}

	Traffic carries() {
		return this.exchanges.isListening() ? Traffic.MESSAGES : Traffic.COMMANDS;
	}

	Frames frames(InputStream in) {
		return new Frames(in, this.exchanges.isOfBytes());
	}

	boolean isIdle(Duration time) {
		return System.nanoTime() - this.last > time.toNanos();
	}

	void count(Fault fault) {
		this.counts.accept(fault);
	}

	void arrived(Direction direction, byte[] frame, Pump pump) {
		this.last = System.nanoTime();
		if (direction == Direction.TO_SERVER) {
			int copies = this.exchanges.command(frame);
			byte[] sent = this.exchanges.sent(frame);
			for (int i = 0; i < copies; i++) {
				pump.put(sent, Fate.NONE.delay());
			}
			return;
		}
		Fate fate = this.exchanges.answer(frame);
		if (fate.fault() == Fault.SEND_TWICE) {
			count(Fault.SEND_TWICE);
		}
		else if (fate.fault() == Fault.DROP_ANSWER) {
			// The traffic before it is delivered first.
			pump.then(() -> lose(fate.afterwards()));
		}
		else {
			if (fate.fault() == Fault.DELAY_ANSWER) {
				count(Fault.DELAY_ANSWER);
			}
			pump.put(frame, fate.delay());
		}
	}

	private void lose(Afterwards afterwards) {
		count(Fault.DROP_ANSWER);
		if (afterwards == Afterwards.SILENCE) {
			this.swallowed.add(Direction.TO_CLIENT);
		}
		else {
			end(true);
		}
	}

	void swallow() {
		this.swallowed.addAll(EnumSet.allOf(Direction.class));
	}

	boolean isLive() {
		return this.swallowed.isEmpty();
	}

	boolean isSwallowed(Direction direction) {
		return this.swallowed.contains(direction);
	}

	/*
	 * Whether the proxy has ended the connection. Then the end of one side is not
	 * forwarded to the other.
	 */
	boolean isOver() {
		return this.over;
	}

	void end(boolean reset) {
		this.over = true;
		try (this.client; this.server) {
			if (reset) {
				// With this setting, closing sends a reset and discards unsent data.
				this.client.setSoLinger(true, 0);
				this.server.setSoLinger(true, 0);
			}
		}
		catch (IOException ex) {
			// The socket is already closed.
		}
		this.pumps.values().forEach(Pump::stop);
	}

	/* One direction has ended. When both have ended, the connection is closed. */
	void ended() {
		if (this.open.decrementAndGet() == 0) {
			end(false);
			this.closed.accept(this);
		}
	}

}
