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

import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The transactions that each thread waits to see committed, innermost last.
 */
final class CommitWatches {

	private static final ThreadLocal<@Nullable Watch> innermost = new ThreadLocal<>();

	BooleanSupplier begin(String transaction) {
		Watch watch = new Watch(transaction, innermost.get());
		innermost.set(watch);
		return () -> end(watch);
	}

	void committed(String transaction) {
		Watch watch = innermost.get();
		if (watch == null) {
			// Asking has left an entry in the thread.
			innermost.remove();
		}
		else if (watch.transaction.equals(transaction)) {
			watch.committed = true;
		}
	}

	private static boolean end(Watch watch) {
		if (watch.outer != null) {
			innermost.set(watch.outer);
		}
		else {
			innermost.remove();
		}
		return watch.committed;
	}

	/* Seen by its thread alone. */
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
