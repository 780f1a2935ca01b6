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

package io.github.watchdoglock.fence;

/**
 * The fence, and variants of it that lack one of its rules.
 */
enum FenceVariant {

	/** The fence with all rules. */
	RIGHT(true, Look.BEGIN),

	/** Locks that are not fenced. */
	UNFENCED(false, Look.NEVER),

	/** An acquisition leaves the row as it is. */
	NO_RAISE(false, Look.BEGIN),

	/** Transactions do not read the row. */
	NO_LOOK(true, Look.NEVER),

	/** Transactions read the row when they end. */
	LOOK_AT_COMMIT(true, Look.COMMIT),

	/** The row is raised when the transaction of the user begins, as a part of it. */
	RAISE_IN_TRANSACTION(false, Look.BEGIN, true),

	/** The row is raised when the transaction of the user ends, as a part of it. */
	RAISE_AT_COMMIT(false, Look.COMMIT, true);

	/** Whether the row is raised before the work begins. */
	final boolean raisesFirst;

	/** When a transaction reads the row. */
	final Look look;

	/** Whether it raises the row instead of reading it. */
	final boolean raisesInTransaction;

	FenceVariant(boolean raisesFirst, Look look) {
		this(raisesFirst, look, false);
	}

	FenceVariant(boolean raisesFirst, Look look, boolean raisesInTransaction) {
		this.raisesFirst = raisesFirst;
		this.look = look;
		this.raisesInTransaction = raisesInTransaction;
	}

	boolean isFenced() {
		return this != UNFENCED;
	}

	boolean isBroken() {
		return isFenced() && this != RIGHT;
	}

	/**
	 * When the row is read.
	 */
	enum Look {

		NEVER, BEGIN, COMMIT

	}

}
