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

import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.watchdoglock.fault.Plan.Fate;

/**
 * Matches the answers of one connection with their commands. Thread-safe for one reader
 * of commands and one reader of answers.
 */
final class Exchanges {

	private static final Set<String> LISTENING = Set.of("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR");

	private final Plan plan;

	private final boolean bytes;

	private final Queue<Fate> pending = new ConcurrentLinkedQueue<>();

	/* From then on answers cannot be distinguished from messages. */
	private volatile boolean listening;

	/* Whether the connection carries arbitrary bytes, or commands and answers. */
	Exchanges(Plan plan, boolean bytes) {
		this.plan = plan;
		this.bytes = bytes;
		this.listening = bytes;
	}

	boolean isOfBytes() {
		return this.bytes;
	}

	boolean isListening() {
		return this.listening;
	}

	/*
	 * Record a command before the server can answer it; returns how often the command is
	 * to be sent.
	 */
	int command(byte[] frame) {
		if (this.listening) {
			return 1;
		}
		List<String> words = Frames.words(frame);
		this.listening = LISTENING.contains(words.get(0).toUpperCase(Locale.ROOT));
		if (this.listening) {
			return 1;
		}
		Fate fate = this.plan.take(words);
		if (fate.fault() == Fault.SEND_TWICE) {
			this.pending.add(Fate.NONE);
			this.pending.add(fate);
			return 2;
		}
		this.pending.add(fate);
		return 1;
	}

	/* The bytes to send in place of a command. */
	byte[] sent(byte[] frame) {
		if (this.listening) {
			return frame;
		}
		List<String> words = Frames.words(frame);
		List<String> sent = this.plan.sent(words);
		return sent.equals(words) ? frame : Frames.command(sent);
	}

	/* If a command was sent twice, the fate of its second answer is to be discarded. */
	Fate answer(byte[] frame) {
		Fate fate = (this.listening || Frames.isPush(frame)) ? null : this.pending.poll();
		return (fate != null) ? fate : Fate.NONE;
	}

}
