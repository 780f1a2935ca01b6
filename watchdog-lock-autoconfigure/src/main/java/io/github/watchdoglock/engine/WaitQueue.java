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

package io.github.watchdoglock.engine;

import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The callers of one cohort in order of arrival; any of them can leave in constant time.
 * Guarded by the cohort's lock.
 */
final class WaitQueue {

	private @Nullable Waiter head;

	private @Nullable Waiter tail;

	private int size;

	boolean isEmpty() {
		return this.head == null;
	}

	int size() {
		return this.size;
	}

	/* The caller whose turn comes next; there must be one. */
	Waiter first() {
		return Objects.requireNonNull(this.head);
	}

	/* Whether anybody in it waits, rather than trying once. */
	boolean anyPatient() {
		Waiter waiter = this.head;
		while (waiter != null && waiter.once()) {
			waiter = waiter.next;
		}
		return waiter != null;
	}

	void add(Waiter waiter) {
		waiter.previous = this.tail;
		if (this.tail != null) {
			this.tail.next = waiter;
		}
		else {
			this.head = waiter;
		}
		this.tail = waiter;
		this.size++;
	}

	/* Take a caller out, unless it is not in the queue (any more): then false. */
	boolean remove(Waiter waiter) {
		if (waiter.previous == null && this.head != waiter) {
			return false;
		}
		if (waiter.previous != null) {
			waiter.previous.next = waiter.next;
		}
		else {
			this.head = waiter.next;
		}
		if (waiter.next != null) {
			waiter.next.previous = waiter.previous;
		}
		else {
			this.tail = waiter.previous;
		}
		waiter.previous = null;
		waiter.next = null;
		this.size--;
		return true;
	}

	/*
	 * Visit all; the visitor may remove the one it is shown.
	 */
	void forEach(Consumer<Waiter> visitor) {
		Waiter waiter = this.head;
		while (waiter != null) {
			Waiter next = waiter.next;
			visitor.accept(waiter);
			waiter = next;
		}
	}

}
