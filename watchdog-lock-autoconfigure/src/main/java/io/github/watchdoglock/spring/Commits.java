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

package io.github.watchdoglock.spring;

import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The commits of the application: each is checked before it happens, and recorded for the
 * method that began its transaction. One for all contexts of an application; thread-safe.
 */
public final class Commits {

	private static final ThreadLocal<@Nullable Watch> innermost = new ThreadLocal<>();

	/*
	 * Does nothing until there is an engine: no lock can be held before, and a commit
	 * while the application starts must not create the engine.
	 */
	private volatile BiConsumer<Predicate<Object>, Runnable> check = (fenced, flush) -> {
	};

	/**
	 * Check each commit from now on.
	 * @param check called by the thread that is about to commit, with whether the
	 * transaction has checked the fence of a hold, and with an action that runs before
	 * locks are checked; may wait. An exception rolls the transaction back and is thrown
	 * to the caller, and must not be a
	 * {@code org.springframework.transaction.TransactionException}
	 */
	public void checkBy(BiConsumer<Predicate<Object>, Runnable> check) {
		this.check = check;
	}

	/* The calling thread is about to commit, and may flush what has to be written. */
	void check(Predicate<Object> fenced, Runnable flush) {
		this.check.accept(fenced, flush);
	}

	/**
	 * Begin to watch the calling thread for a new transaction with a name. Watches of one
	 * thread are nested: a commit is recorded for the innermost watch only.
	 * @param transaction the name
	 * @return to be called once, by the same thread: ends the watch, and returns whether
	 * the transaction was committed
	 */
	public BooleanSupplier watch(String transaction) {
		Watch watch = new Watch(transaction, innermost.get());
		innermost.set(watch);
		return () -> {
			innermost.set(watch.outer);
			return watch.committed;
		};
	}

	/* The calling thread has committed a new transaction. */
	void committed(String transaction) {
		Watch watch = innermost.get();
		if (watch != null && watch.transaction.equals(transaction)) {
			watch.committed = true;
		}
	}

	/* Used by its thread only. */
	private static final class Watch {

		private final String transaction;

		private final @Nullable Watch outer;

		private boolean committed;

		Watch(String transaction, @Nullable Watch outer) {
			this.transaction = transaction;
			this.outer = outer;
		}

	}

}
