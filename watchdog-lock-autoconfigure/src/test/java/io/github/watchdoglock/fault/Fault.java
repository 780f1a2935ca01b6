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

/**
 * A fault that a proxy injects into its connections.
 */
public enum Fault {

	/** A command or answer is late; counted for each. */
	DELAY,

	/**
	 * A command or answer is held back until the direction is open again; counted for
	 * each.
	 */
	STALL,

	/** A command or answer is lost, and its connection looks open; counted for each. */
	SWALLOW,

	/** One answer is lost with its connection. */
	DROP_ANSWER,

	/** One answer is late. */
	DELAY_ANSWER,

	/** One command reaches the server twice. */
	SEND_TWICE,

	/** A connection is closed in an orderly way. */
	CUT,

	/** A connection is reset. */
	RESET,

	/** A new connection is rejected. */
	REFUSE

}
