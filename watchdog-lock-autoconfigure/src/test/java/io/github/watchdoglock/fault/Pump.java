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

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Carries the traffic of one direction of one connection: one thread reads it, and
 * another one delivers it when it is due.
 */
final class Pump {

	private static final byte[] END = new byte[0];

	private final Link link;

	private final Direction direction;

	private final Gate gate;

	private final Socket from;

	private final BlockingQueue<Parcel> parcels = new LinkedBlockingQueue<>();

	private final Thread writer;

	Pump(Link link, Direction direction, Gate gate, Socket from, Socket to) {
		this.link = link;
		this.direction = direction;
		this.gate = gate;
		this.from = from;
		this.writer = FaultProxy.thread(() -> bring(to));
	}

	void start() {
		this.writer.start();
		FaultProxy.thread(this::take).start();
	}

	void stop() {
		this.writer.interrupt();
	}

	private void take() {
		try {
			Frames frames = this.link.frames(new BufferedInputStream(this.from.getInputStream()));
			for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
				this.link.arrived(this.direction, frame, this);
			}
		}
		catch (IOException ex) {
			// The end of the stream is delivered as well.
		}
		put(END, Duration.ZERO);
	}

	void put(byte[] frame, Duration delay) {
		Duration total = delay.plus(this.gate.delay());
		this.parcels.add(new Parcel(frame, System.nanoTime() + total.toNanos(), null));
		if (frame != END && this.gate.isClosed()) {
			this.link.count(Fault.STALL);
		}
		if (frame != END && !this.gate.delay().isZero()) {
			this.link.count(Fault.DELAY);
		}
	}

	/* Run an action after all earlier traffic was delivered. */
	void then(Runnable action) {
		this.parcels.add(new Parcel(END, System.nanoTime(), action));
	}

	private void bring(Socket to) {
		try {
			OutputStream out = to.getOutputStream();
			while (true) {
				Parcel parcel = this.parcels.take();
				TimeUnit.NANOSECONDS.sleep(parcel.due - System.nanoTime());
				this.gate.pass();
				if (parcel.action != null) {
					parcel.action.run();
				}
				else if (!this.link.isSwallowed(this.direction)) {
					if (parcel.frame == END) {
						end(to);
						return;
					}
					out.write(parcel.frame);
				}
				else if (parcel.frame != END) {
					this.link.count(Fault.SWALLOW);
				}
			}
		}
		catch (IOException | InterruptedException ex) {
			// The socket was closed.
		}
		finally {
			this.link.ended();
		}
	}

	private void end(Socket to) throws IOException {
		if (!this.link.isOver()) {
			to.shutdownOutput();
		}
	}

	private static final class Parcel {

		private final byte[] frame;

		private final long due;

		private final Runnable action;

		Parcel(byte[] frame, long due, Runnable action) {
			this.frame = frame;
			this.due = due;
			this.action = action;
		}

	}

}
