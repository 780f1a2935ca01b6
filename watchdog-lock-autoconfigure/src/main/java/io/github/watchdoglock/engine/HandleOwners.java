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

import java.lang.ref.WeakReference;
import java.util.List;

import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * Who has open handles on a hold: its thread, and whoever was given a detached one.
 * Everything is part of a step of the cohort.
 * <p>
 * Extended by the hold, rather than in a field of it: a held lock would be heavier by an
 * object.
 */
abstract class HandleOwners {

	/** Has the attached handles; null once there are none. */
	private @Nullable Thread thread;

	private int attached;

	/** Of the attached handles, the ones that want an interrupt when the lock is lost. */
	private int interruptible;

	private boolean interrupted;

	private @Nullable Detached detached;

	HandleOwners(@Nullable Thread thread) {
		this.thread = thread;
	}

	@Nullable Thread thread() {
		return this.thread;
	}

	boolean hasHandles() {
		return this.attached > 0 || this.detached != null;
	}

	void add(Handle handle) {
		if (handle.isAttached()) {
			this.attached++;
			this.interruptible += wantsInterrupt(handle) ? 1 : 0;
		}
		else {
			this.detached = new Detached(handle, this.detached);
		}
	}

	void remove(Handle handle) {
		if (handle.isAttached()) {
			detach(handle);
		}
		else {
			this.detached = without(handle, this.detached);
		}
	}

	/* It no longer belongs to the thread. */
	private void detach(Handle handle) {
		if (wantsInterrupt(handle) && --this.interruptible == 0 && this.interrupted
				&& this.thread == Thread.currentThread()) {
			// The flag was for the work under this handle, and that has ended.
			this.interrupted = false;
			Thread.interrupted();
		}
		if (--this.attached == 0) {
			this.thread = null;
		}
	}

	boolean wantsInterrupt() {
		return this.thread != null && this.interruptible > 0;
	}

	/* Interrupt the thread, if one of its handles wants that. */
	void interrupt() {
		if (this.thread != null && wantsInterrupt()) {
			// One that was interrupted before is to see that when this is over.
			this.interrupted = !this.thread.isInterrupted();
			this.thread.interrupt();
		}
	}

	/* Whether nobody is left who could close the hold. */
	boolean isAbandoned() {
		this.detached = without(null, this.detached);
		return this.detached == null && (this.thread == null || !this.thread.isAlive());
	}

	/* What the thread does at the moment; takes a while. */
	static List<StackTraceElement> stack(@Nullable Thread thread) {
		return (thread != null) ? List.of(thread.getStackTrace()) : List.of();
	}

	private static boolean wantsInterrupt(Handle handle) {
		return handle.onLoss() == OnLoss.INTERRUPT;
	}

	/* A list without a handle, and without those that were collected. */
	private static @Nullable Detached without(@Nullable Handle handle, @Nullable Detached list) {
		Detached rest = null;
		Detached entry = list;
		while (entry != null) {
			Detached next = entry.next;
			if (!entry.refersTo(null) && !entry.refersTo(handle)) {
				entry.next = rest;
				rest = entry;
			}
			entry = next;
		}
		return rest;
	}

	/**
	 * A handle that belongs to no thread, and may be collected unclosed.
	 */
	private static final class Detached extends WeakReference<Handle> {

		private @Nullable Detached next;

		private Detached(Handle handle, @Nullable Detached next) {
			super(handle);
			this.next = next;
		}

	}

}
